package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/sample"
)

// TestSelfcheckReruns: reruns of a few samples cannot differ significantly, so that there
// is no alarm.
func TestSelfcheckReruns(t *testing.T) {
	sample.NeedsAll(t)
	out, diag, status := shmbench(t.Context(), "selfcheck", "-alg", "^(peterson/peterson|queue/ticket)$", "-d", "50ms", "-count", "1", "-reruns", "3")
	require.Equal(t, exitHolds, status, diag)
	require.Regexp(t, `^\d+ figures of locks with a known answer are right\n`, out)
	require.Contains(t, out, "0 of 3 comparisons between the two names of each lock, of 4 benchmarks each, show a significant difference")
	require.Contains(t, out, "0 of 2 comparisons between a rerun and the next, of 8 benchmarks each")
}

func TestSelfcheckRefuses(t *testing.T) {
	for says, args := range map[string][]string{
		"-reruns -1: the number of reruns must be between 0 and 1000": {"-reruns", "-1"},
		"-reruns 0 cannot be combined with -count":                    {"-reruns", "0", "-count", "3"},
		"-alg nothing: no lock matches":                               {"nothing"},
	} {
		out, diag, status := shmbench(t.Context(), append([]string{"selfcheck"}, args...)...)
		require.Equal(t, exitUsage, status)
		require.Empty(t, out)
		require.Contains(t, diag, "shmbench selfcheck: "+says)
	}
}
