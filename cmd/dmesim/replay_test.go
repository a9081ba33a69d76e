package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"shmbench/internal/cli"

	"github.com/stretchr/testify/require"
)

func TestReplay(t *testing.T) {
	ctx := context.Background()
	code, out, errs := typed(t, ctx, "replay -list")
	require.Equal(t, cli.Holds, code, errs)
	for _, name := range []string{"alien-threads-1", "alien-threads-2", "ricart-agrawala", "ring-election", "chang-roberts", "two-locks", "le-lann"} {
		require.Contains(t, out, name+" ")
	}
	code, out, errs = typed(t, ctx, "replay -scenario ricart-agrawala")
	require.Equal(t, cli.Holds, code, errs)
	require.Contains(t, out, "\na  Process 0 requests with timestamp 4, process 2 with 8\n    thread 0 of node 0 asks\n        sends request stamp=4 to 1, sends request stamp=4 to 2\n")
	require.Contains(t, out, "as it should be: 19 checks\n")
	code, out, _ = typed(t, ctx, "replay -scenario ring-election -mermaid")
	require.Equal(t, cli.Holds, code)
	require.Contains(t, out, "n0->>n1: election [1 2 3 4 0]\n")
	var r struct {
		Panels []struct{ Name string }
		Checks int
	}
	code, out, _ = typed(t, ctx, "replay -scenario ring-election -json")
	require.Equal(t, cli.Holds, code)
	decode(t, out, &r)
	require.Len(t, r.Panels, 6)

	// A trace of the explorer's goes the same way again; changed, it does not.
	file := filepath.Join(t.TempDir(), "trace.txt")
	for _, line := range []string{
		"explore -alg local-queue-newest-first -nodes 2 -threads 2 -moves 1 -requests 0", "explore -alg alien-v1-printed -threads 2,1,1 -requests 2", "explore -alg central-grants-at-once -resources 2 -requests 3",
		"explore -alg alien-v1-printed -requests 2", "explore -alg central -nodes 2 -locks 2 -ordered=false", "explore -alg bully-bare-counter -nodes 2 -crash 1 -recover 1", "explore -alg ricart-agrawala-timeout -nodes 2 -timing any", "explore -alg raymond -nodes 3 -tree path -crash 1",
	} {
		code, _, errs = typed(t, ctx, line+" -scenario "+file)
		require.Equal(t, cli.Violated, code, errs)
		code, out, errs = typed(t, ctx, "replay -scenario "+file)
		require.Equal(t, cli.Holds, code, "%s\n%s%s", line, out, errs)
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, "inside 0\n"...), 0o600))
	code, out, _ = typed(t, ctx, "replay -scenario "+file)
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "NOT AS IT SHOULD BE: ")
}

func TestReplayRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.txt")
	require.NoError(t, os.WriteFile(file, []byte("alg central\nnodes many\n"), 0o600))
	for line, says := range map[string]string{
		"replay":                            "no scenario: give -scenario; -list shows the names",
		"replay -scenario nope":             `-scenario nope: no scenario "nope"; -list shows the names, and a file's has a / or a dot`,
		"replay -scenario ./no/such.txt":    "-scenario ./no/such.txt: open ./no/such.txt: no such file or directory",
		"replay -scenario " + file:          "-scenario " + file + ": " + file + `:2: nodes many: "many": a whole number from 2 to 6`,
		"replay -scenario x -mermaid -json": "-mermaid goes without -json",
	} {
		code, out, errs := typed(t, context.Background(), line)
		require.Equal(t, cli.Usage, code, line)
		require.Empty(t, out, line)
		require.Equal(t, "dmesim replay: "+says+"\n", errs, line)
	}
}
