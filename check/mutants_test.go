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
	for _, m := range check.Mutants() {
		// By Lock and Unlock alone, and in all modes if there are others.
		worst := mutants.Equivalent
		require.NotEmpty(t, reports, m.Name)
		for len(reports) > 0 && reports[0].Algorithm == m.Name {
			r := reports[0]
			reports = reports[1:]
			worst = min(worst, verdict(r))
			require.Empty(t, r.Replay.Omitted, r.Algorithm)
			require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, r.Algorithm)
			if r.Modes == nil && len(reports) > 0 && reports[0].Algorithm == m.Name {
				continue
			}
			require.Equal(t, m.Verdict, worst, "%s\n%v\n%v", r.Algorithm, r.Refused, r.Counterexamples)
		}
	}
	require.Empty(t, reports)
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
