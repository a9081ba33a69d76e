package mutants_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/explore"
	"shmbench/distributed/mutants"
)

func TestEveryMutantGetsItsVerdict(t *testing.T) {
	for _, m := range mutants.All {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			model, err := m.Model()
			require.NoError(t, err)
			judge(t, model, m.Verdict)
		})
	}
}

func judge(t *testing.T, m explore.Model, want mutants.Verdict) {
	require.NotZero(t, want.Nodes, "a mutant without a verdict")
	m.MaxStates = 400_000
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	if want.Breaks == "" {
		require.True(t, r.Holds())
		return
	}
	v := r.Broken(want.Breaks)
	for i := range r.Violations {
		require.NoError(t, r.Violations[i].WriteText(t.Output()))
	}
	require.NotNil(t, v, "found %+v", r.Violations)
	require.Equal(t, want.Steps, v.Steps())
	if v.Loop >= 0 {
		enters := slices.ContainsFunc(v.Trace[v.Loop:], func(e explore.Event) bool { return len(e.Granted) > 0 })
		require.Equal(t, want.Breaks == explore.Starvation, enters, "%s, but the loop shows an entry: %v", want.Breaks, enters)
	}
}
