//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/server"
)

// TestMain lets the test program be the ledger.
func TestMain(m *testing.M) {
	if os.Getenv("LEDGER_TEST") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func ledger(t *testing.T, args ...string) *exec.Cmd {
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "LEDGER_TEST=yes")
	return cmd
}

// Several processes book. One process is stopped until its lease is over while it
// computes. The file refuses its late line, and nothing is lost.
func TestLedger(t *testing.T) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	path := filepath.Join(t.TempDir(), "account")
	common := []string{"-nats", s.URL(), "-file", path, "-lease", "3s"}

	// The first one computes for a moment, and is stopped there.
	first := ledger(t, append(common, "-add", "100", "-takes", "2s")...)
	out, err := first.StdoutPipe()
	require.NoError(t, err)
	var said bytes.Buffer
	first.Stderr = &said
	require.NoError(t, first.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "computing with token ")
	require.NoError(t, first.Process.Signal(syscall.SIGSTOP))

	var others []*exec.Cmd
	for _, add := range []string{"1", "10"} {
		cmd := ledger(t, append(common, "-add", add, "-times", "5")...)
		cmd.Stderr = os.Stderr
		require.NoError(t, cmd.Start())
		others = append(others, cmd)
	}
	for _, cmd := range others {
		require.NoError(t, cmd.Wait())
	}
	require.NoError(t, first.Process.Signal(syscall.SIGCONT))
	require.NoError(t, first.Wait(), said.String())

	require.Contains(t, said.String(), "again", "it has noticed, or the file has refused it")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Regexp(t, `^token \d+ writes 155$`, lines[len(lines)-1])
	require.Equal(t, 11, strings.Count(string(text), " writes "))
}

// The file refuses an old token by itself.
func TestFileRefusesAnOldToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "account")
	require.NoError(t, write(path, 7, 70))
	require.NoError(t, write(path, 7, 71))
	require.EqualError(t, write(path, 6, 60), "the ledger refuses an old token: 6 after 7")
	balance, err := read(path, 8)
	require.NoError(t, err)
	require.Equal(t, int64(71), balance)
	require.EqualError(t, write(path, 7, 72), "the ledger refuses an old token: 7 after 8", "another one has read")
	_, err = read(path, 7)
	require.ErrorIs(t, err, errStale)
	require.NoError(t, write(path, 8, 80))
}
