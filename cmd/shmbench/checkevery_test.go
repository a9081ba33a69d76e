package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestCheckEvery: a proof for every n, its certificate, and a lock for which there is none.
func TestCheckEvery(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "certificate.json")
	out, diag, status := shmbench(t.Context(), "check", "tas/tas", "-procs", "every", "-o", file)
	require.Equal(t, exitHolds, status, diag)
	require.Equal(t, "tas/tas: mutual exclusion for every n >= 2: holds, by 12 views of 2 processes; the source was compared for n = 2 to 6\n", out)
	certificate, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(certificate), `"lock":"tas/tas"`)

	file = filepath.Join(t.TempDir(), "none.json")
	out, diag, status = shmbench(t.Context(), "check", "tas/tas", "-edit", "replace 1: true => false", "-procs", "every", "-o", file, "-json")
	require.Equal(t, exitUndecided, status)
	require.Equal(t, "shmbench check: undecided for every n: edited/tas-tas: two processes are in the critical section\n", diag)
	var all []check.EveryN
	decode(t, out, &all)
	require.Len(t, all, 1)
	require.Equal(t, check.Unknown, all[0].MutualExclusion)
	require.Contains(t, all[0].View, "p1 is before line 2 store in the critical section")
	require.NoFileExists(t, file)

	out, diag, status = shmbench(t.Context(), "check", testLocks+":NewTAS", "-procs", "every")
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "locks/NewTAS: mutual exclusion for every n >= 2: holds")

	out, diag, status = shmbench(t.Context(), "check", "-alg", "^peterson/(peterson|asymmetric)$", "-procs", "every")
	require.Equal(t, exitUndecided, status)
	require.Equal(t, 2, strings.Count(out, "undecided: the specification allows 2 processes at most"), out)
	require.Equal(t, 1, strings.Count(diag, "\n"), diag)
}

// TestCheckEveryRefuses: flags that ask for more than a proof by views gives.
func TestCheckEveryRefuses(t *testing.T) {
	t.Chdir(t.TempDir()) // a probe for -o would change this folder, and go test would not cache the result
	for _, with := range [][]string{{"-memory", "tso"}, {"-registers", "regular"}, {"-crashes", "1"}, {"-safety"}, {"-mutants"}, {"-known-broken"}, {"-replay", "0,1"},
		{"-max-states", "9"}, {"-passages", "1"}, {"-o", "x.html"}, {"-o", "x.dot"}, {"-topology", "2x2"}} {
		_, diag, status := shmbench(t.Context(), append([]string{"check", "tas/tas", "-procs", "every"}, with...)...)
		require.Equal(t, exitUsage, status, with)
		require.Equal(t, 1, strings.Count(diag, "\n"), diag)
		require.Contains(t, diag, with[0])
	}
	_, diag, status := shmbench(t.Context(), "check", "-alg", "tas", "-procs", "every", "-o", "x.json")
	require.Equal(t, exitUsage, status)
	require.Equal(t, "shmbench check: -o x.json is the certificate of one lock, and -alg \"tas\" matches 3\n", diag)
	_, diag, status = shmbench(t.Context(), "check", "tas/tas", "-procs", "all")
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "a list is like 1,2,4, or every")
}
