package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRunSaysWhatExecutes: delegates and recoverable locks are measured beside other locks,
// and run says which of them are measured by Execute.
func TestRunSaysWhatExecutes(t *testing.T) {
	const says = "measured by Execute, where a critical section is a function that any process may run: delegation/ccsynch\n"
	args := []string{"run", "-alg", "^(delegation/ccsynch|recoverable/rtas|tas/tas)$", "-d", "5ms", "-count", "1", "-procs", "1", "-o"}
	file := func(name string) string { return filepath.Join(t.TempDir(), name) }
	out, diag, code := shmbench(t.Context(), append(args, file("a.txt"))...)
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, diag, says)
	for _, name := range []string{"delegation/ccsynch", "recoverable/rtas", "tas/tas"} {
		require.Contains(t, out, name)
	}
	_, diag, code = shmbench(t.Context(), append(args, file("b.txt"), "-rate", "1000")...)
	require.Equal(t, exitHolds, code, diag)
	require.NotContains(t, diag, "Execute", "an open loop calls Lock and Unlock")
}
