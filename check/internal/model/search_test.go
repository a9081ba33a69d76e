package model

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/internal/testkit/sample"
)

// TestSearch: a search comes upon the same values, whether walks find most of them
// or none, as a visit to every state with the automata as they are learned.
func TestSearch(t *testing.T) {
	prog, err := load.Load(t.Context(), "", "shmbench/catalog")
	require.NoError(t, err)
	o := Options{Explore: explore.Options{Workers: 2}, Marks: func(*automaton.Learner) automaton.Marks { return nil }}
	for _, c := range []struct {
		name        string
		n, passages int
	}{
		{"bakery/lamport", 2, 4},
		{"bakery/lamport", 3, 2},
		{"queue/ticket", 3, 4},
		{"peterson/filter", 3, 0},
	} {
		if c.n > 2 && !sample.All() {
			continue
		}
		visited := unlearned(t, prog, c.name, c.n, c.passages)
		require.NoError(t, visited.visit(t.Context(), o))
		require.NoError(t, visited.minimize(o))
		g := explore.Run(t.Context(), explore.NewSC(visited.Model), explore.Options{})
		require.True(t, g.Exhausted)
		for _, steps := range []int{0, 100, 1 << 14} {
			lock := unlearned(t, prog, c.name, c.n, c.passages)
			require.NoError(t, lock.search(t.Context(), steps, o))
			require.True(t, lock.Graph.Exhausted)
			require.Equal(t, g.States, lock.Graph.States, "%s, %d steps", c.name, steps)
			require.Equal(t, g.Edges, lock.Graph.Edges)
			require.Equal(t, values(visited), values(lock), "%s, %d steps", c.name, steps)
		}
	}
}

// TestWalksFindRareValues: walks find more values because they go on from states that led to new ones.
func TestWalksFindRareValues(t *testing.T) {
	sample.NeedsAll(t)
	prog, err := load.Load(t.Context(), "", "shmbench/catalog")
	require.NoError(t, err)
	lock := unlearned(t, prog, "recoverable/rmcs", 3, 0)
	require.NoError(t, lock.walk(t.Context(), nil, nil, 1<<18, rawValues, rand.New(rand.NewPCG(1, 1))))
	most := 0
	for r := range lock.Seen {
		most = max(most, len(slices.Collect(lock.Seen.Occurring(int32(r)))))
	}
	require.Greater(t, most, 110, "of 127 values of links; walks from the initial state alone find 97")
}

// unlearned returns a lock of the catalog before anything is learned.
func unlearned(t *testing.T, prog *load.Program, name string, n, passages int) *Lock {
	m := interp.New(t.Context(), prog)
	require.NoError(t, m.Init())
	spec, err := m.Spec("All", name)
	require.NoError(t, err)
	require.NoError(t, m.Build(spec, n))
	l, err := automaton.New(m, maxLocal, 0)
	require.NoError(t, err)
	return &Lock{Learner: l, Passages: passages}
}

// values returns the values that occur in each register, by their names.
func values(lock *Lock) map[string]map[string]bool {
	names, all := lock.Learner.M.Names(), map[string]map[string]bool{}
	for _, r := range lock.Model.Regs {
		of := map[string]bool{}
		for _, v := range r.Values {
			of[names.Value(r.At, v)] = true
		}
		all[names.Cell(r.At)] = of
	}
	return all
}
