package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/mutants"
	"shmbench/shm"
)

// TestMutants gives every broken lock its verdict.
func TestMutants(t *testing.T) {
	src, err := check.Open(t.Context(), "", "shmbench/mutants")
	require.NoError(t, err)
	for _, m := range mutants.All() {
		t.Run(m.Name, func(t *testing.T) {
			reports, err := src.Algorithms(t.Context(), "All", []shm.Algorithm{m.Algorithm}, check.Options{N: []int{m.Procs}})
			require.NoError(t, err)
			require.Equal(t, m.Verdict, verdict(reports[0]), "%v\n%v", reports[0].Refused, reports[0].Counterexamples)
		})
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
