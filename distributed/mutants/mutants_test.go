package mutants_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/catalog"
	"shmbench/distributed/explore"
	"shmbench/distributed/mutants"
	"shmbench/internal/testkit/sample"
)

// large are the mutants whose systems take a second or more to explore.
var large = []string{"suzuki-kasami-lecture", "maekawa-keeps-vote", "maekawa-as-printed", "ring-greets-once"}

// It looks at all mutants but the large ones, and at these, too, with -all.
func TestEveryMutantGetsItsVerdict(t *testing.T) {
	for _, m := range mutants.All {
		if slices.Contains(large, m.Name) && !sample.All() {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			model, err := m.Model()
			require.NoError(t, err)
			judge(t, model, m)
		})
	}
}

func judge(t *testing.T, m explore.Model, want mutants.Mutant) {
	require.NotZero(t, want.Nodes, "a mutant without a verdict")
	m.MaxStates = 400_000
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	if broken := want.Broken(r); len(broken) > 0 || len(want.Invariants) > 0 {
		require.Equal(t, want.Invariants, broken)
	}
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

// Each invariant of a specification is broken by a mutant.
func TestEveryInvariantCanBreak(t *testing.T) {
	broken := map[string]bool{}
	for _, m := range mutants.All {
		for name := range m.Invariants {
			broken[name] = true
		}
	}
	for _, a := range catalog.All {
		names := map[string]bool{}
		for _, inv := range a.Invariants {
			require.True(t, broken[inv.Name], "no mutant breaks %q of %s", inv.Name, a.Name)
			require.NotEmpty(t, inv.Source)
			require.False(t, names[inv.Name], "%s has %q twice", a.Name, inv.Name)
			names[inv.Name] = true
		}
	}
}

// A verdict is the property, the steps and the invariants.
func TestConfirms(t *testing.T) {
	at := slices.IndexFunc(mutants.All, func(m mutants.Mutant) bool { return m.Name == "token-ring-keeps-token" })
	m := mutants.All[at]
	model, err := m.Model()
	require.NoError(t, err)
	r, err := explore.Explore(t.Context(), model)
	require.NoError(t, err)
	require.True(t, m.Confirms(r))
	for what, spoil := range map[string]func(m *mutants.Mutant){
		"a step more":        func(m *mutants.Mutant) { m.Steps++ },
		"another property":   func(m *mutants.Mutant) { m.Breaks = explore.Starvation },
		"nothing":            func(m *mutants.Mutant) { m.Breaks = "" },
		"no invariant":       func(m *mutants.Mutant) { m.Invariants = nil },
		"an invariant later": func(m *mutants.Mutant) { m.Invariants = map[string]int{"one token": 9} },
	} {
		spoilt := m
		spoil(&spoilt)
		require.False(t, spoilt.Confirms(r), what)
	}
}
