package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
)

// Two reruns violate nothing unless the two names of a lock differ in both. They do so by chance in
// one of twenty comparisons, and more often where the load of the machine changes.
func TestSelfcheckReruns(t *testing.T) {
	sample.NeedsAll(t)
	out := ""
	deadline.Try(t, 0.5, func() bool {
		var diag string
		var status int
		out, diag, status = shmbench(t.Context(), "selfcheck", "-alg", "^(peterson/peterson|queue/ticket)$", "-d", "20ms", "-count", "7", "-reruns", "2")
		if status != exitHolds {
			require.Equal(t, exitViolated, status, diag)
			t.Log(out)
		}
		return status == exitHolds
	})
	require.Regexp(t, `^\d+ figures of locks with a known answer are right\n`, out)
	require.Regexp(t, "[01] of 2 comparisons between the two names of each lock, of 4 benchmarks each, show a significant difference", out)
	require.Regexp(t, "[01] of 1 comparisons between a rerun and the next, of 8 benchmarks each", out)
}

func TestSelfcheckRefuses(t *testing.T) {
	for says, args := range map[string][]string{
		"-reruns -1: the number of reruns must be between 0 and 1000": {"-reruns", "-1"},
		"-reruns 0 cannot be combined with -count":                    {"-reruns", "0", "-count", "3"},
		"-alg nothing: no lock matches":                               {"nothing"},
		"-count 5: with fewer than 6 samples, no difference among 4 benchmarks can be significant, so reruns would always agree": {"tas/tas", "-count", "5"},
	} {
		out, diag, status := shmbench(t.Context(), append([]string{"selfcheck"}, args...)...)
		require.Equal(t, exitUsage, status)
		require.Empty(t, out)
		require.Contains(t, diag, "shmbench selfcheck: "+says)
	}
}
