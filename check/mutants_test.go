package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/mutants"
	"shmbench/shm"
)

// TestMutants gives every broken lock its verdict, and replays it and what it
// does wrong on the compiled code.
func TestMutants(t *testing.T) {
	src, err := check.Open(t.Context(), "", "shmbench/mutants")
	require.NoError(t, err)
	byProcs := map[int][]shm.Algorithm{}
	want := map[string]mutants.Verdict{}
	for _, m := range mutants.All() {
		byProcs[m.Procs] = append(byProcs[m.Procs], m.Algorithm)
		want[m.Name] = m.Verdict
	}
	for n, algorithms := range byProcs {
		reports, err := src.Algorithms(t.Context(), "All", algorithms, check.Options{N: []int{n}, Replays: 1_000})
		require.NoError(t, err)
		require.Len(t, reports, len(algorithms))
		for _, r := range reports {
			require.Equal(t, want[r.Algorithm], verdict(r), "%s\n%v\n%v", r.Algorithm, r.Refused, r.Counterexamples)
			require.Empty(t, r.Replay.Omitted, r.Algorithm)
			require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, r.Algorithm)
		}
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
