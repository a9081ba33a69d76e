package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/mutants"
)

// TestMutants gives every broken lock its verdict, and replays it and what it
// does wrong on the compiled code.
func TestMutants(t *testing.T) {
	t.Parallel()
	reports, err := check.MutantReports()
	require.NoError(t, err)
	all := mutants.All()
	require.Len(t, reports, len(all))
	for i, r := range reports {
		require.Equal(t, all[i].Name, r.Algorithm)
		require.Equal(t, all[i].Verdict, verdict(r), "%s\n%v\n%v", r.Algorithm, r.Refused, r.Counterexamples)
		require.Empty(t, r.Replay.Omitted, r.Algorithm)
		require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, r.Algorithm)
	}
}

// verdict is a report in the terms of the mutants.
func verdict(r *check.Report) mutants.Verdict {
	switch {
	case r.MutualExclusion == check.Violated:
		return mutants.Safety
	case r.DeadlockFreedom == check.Violated || r.ExitProgress == check.Violated:
		return mutants.Deadlock
	case r.StarvationFreedom == check.Violated:
		return mutants.Starvation
	}
	return mutants.Equivalent
}
