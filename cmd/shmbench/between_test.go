package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/shm/region/regiontest"
)

// TestRunBetweenProcesses: each lock has a row between goroutines and one between processes,
// with names of their own, so that no comparison pools them. What cannot be shared is left out.
func TestRunBetweenProcesses(t *testing.T) {
	regiontest.Need(t)
	path := filepath.Join(t.TempDir(), "results.txt")
	out, diag, status := shmbench(t.Context(), "run", "-between", "processes", "-alg", "^(queue/ticket|baseline/mutex)$",
		"-procs", "2", "-d", "5ms", "-count", "1", "-o", path)
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, " queue/ticket ")
	require.Contains(t, out, " queue/ticket-processes ")
	require.Contains(t, diag, "left out: baseline/mutex: *baseline.SyncMutex.mu (sync.Mutex) cannot be shared between processes")

	file, err := benchfile.Open(t.Context(), path, nil)
	require.NoError(t, err)
	measured := map[string]bool{}
	for _, r := range file.Results {
		require.Equal(t, "processes, which wait by os-yield", r.GetConfig("between"))
		if algorithm, _, ok := bench.ParseName(r.Name); ok && !bench.IsNull(algorithm) {
			measured[algorithm] = true
		}
	}
	require.Equal(t, map[string]bool{"queue/ticket": true, "queue/ticket-processes": true, "baseline/robust-processes": true}, measured)

	_, diag, status = shmbench(t.Context(), "run", "-between", "processes", "-alg", "baseline/mutex")
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "package sync lets goroutines of one process wait")
	_, diag, status = shmbench(t.Context(), "run", "-between", "threads")
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "-between threads: ")
}

// TestStressBetweenProcesses: a lock is stressed between processes, and what cannot be shared
// is left out.
func TestStressBetweenProcesses(t *testing.T) {
	regiontest.Need(t)
	out, diag, status := shmbench(t.Context(), "stress", "-between", "processes", "-alg", "^(queue/ticket|baseline/mutex)$", "-procs", "2", "-d", "50ms")
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "; processes of the operating system, in memory that they share\n")
	require.Contains(t, out, "queue/ticket")
	require.Contains(t, diag, "left out: baseline/mutex: ")
	_, diag, status = shmbench(t.Context(), "stress", "-between", "processes", "-mutants")
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "-between")
}

// TestListBetweenProcesses: list says of a lock whether it can be shared, and if not, why.
func TestListBetweenProcesses(t *testing.T) {
	regiontest.Need(t)
	for name, want := range map[string]string{
		"queue/mcs":      `\nbetween processes +yes\n`,
		"baseline/mutex": `\nbetween processes +no, package sync lets goroutines of one process wait:`,
	} {
		out, diag, status := shmbench(t.Context(), "list", name)
		require.Equal(t, exitHolds, status, diag)
		require.Regexp(t, want, out)
	}
}
