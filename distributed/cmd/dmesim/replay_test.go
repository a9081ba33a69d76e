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
	code, out, errs := typed(t, ctx, "replay ricart-agrawala")
	require.Equal(t, cli.Holds, code, errs)
	require.Contains(t, out, "\na  Process 0 requests with timestamp 4, process 2 with 8\n    thread 0 of node 0 asks\n        sends request stamp=4 to 1, sends request stamp=4 to 2\n")
	require.Contains(t, out, "as it should be: 19 checks\n")
	diagram := filepath.Join(t.TempDir(), "ring.mmd")
	code, _, errs = typed(t, ctx, "replay ring-election -o "+diagram)
	require.Equal(t, cli.Holds, code, errs)
	drawn, err := os.ReadFile(diagram)
	require.NoError(t, err)
	require.Contains(t, string(drawn), "n0->>n1: election [1 2 3 4 0]\n")
	var r struct {
		Panels []struct{ Name string }
		Checks int
	}
	code, out, _ = typed(t, ctx, "replay ring-election -json")
	require.Equal(t, cli.Holds, code)
	decode(t, out, &r)
	require.Len(t, r.Panels, 6)

	// A trace of the explorer's goes the same way again; changed, it does not.
	file := filepath.Join(t.TempDir(), "trace.txt")
	for _, line := range []string{
		"explore -alg local-queue-newest-first -nodes 2 -threads 2 -moves 1 -requests 0", "explore -alg alien-v1-printed -threads 2,1,1 -requests 2", "explore -alg central-grants-at-once -resources 2 -requests 3",
		"explore -alg alien-v1-printed -requests 2", "explore -alg central -nodes 2 -locks 2:unordered", "explore -alg bully-bare-counter -nodes 2 -crash 1 -faults restart:1", "explore -alg ricart-agrawala-timeout -nodes 2 -timing any", "explore -alg central -nodes 2 -hang 1", "explore -alg raymond -nodes 3 -shape path -crash 1",
	} {
		code, _, errs = typed(t, ctx, line+" -o "+file)
		require.Equal(t, cli.Violated, code, errs)
		code, out, errs = typed(t, ctx, "replay "+file)
		require.Equal(t, cli.Holds, code, "%s\n%s%s", line, out, errs)
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, "inside 0\n"...), 0o600))
	code, out, _ = typed(t, ctx, "replay "+file)
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "NOT AS IT SHOULD BE: ")
}

func TestReplayRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.txt")
	require.NoError(t, os.WriteFile(file, []byte("alg central\nnodes many\n"), 0o600))
	for line, says := range map[string]string{
		"replay":                "name one scenario: a shipped one, which dmesim list shows, or a file with a / or a dot in its name",
		"replay nope":           `no scenario "nope"; dmesim list shows the names, and a file's has a / or a dot`,
		"replay ricart-agrawla": `no scenario "ricart-agrawla"; did you mean "ricart-agrawala"?`,
		"replay ./":             "./: this is a folder: name a file in it",
		"replay ./no/such.txt":  "./no/such.txt: there is no such file",
		"replay " + file:        file + `:2: nodes many: "many": a whole number from 2 to 6`,
		"replay y -o x":         "-o x: its ending must be .html or .mmd",
	} {
		code, out, errs := typed(t, context.Background(), line)
		require.Equal(t, cli.Usage, code, line)
		require.Empty(t, out, line)
		require.Equal(t, "dmesim replay: "+says+"\n", errs, line)
	}
}
