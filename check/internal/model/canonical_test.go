package model

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
)

// TestCanonical: the canonical form of a model does not depend on how states are
// numbered. It differs if one move does.
func TestCanonical(t *testing.T) {
	prog, err := load.Load(t.Context(), "", "shmbench/catalog")
	require.NoError(t, err)
	m := interp.New(t.Context(), prog)
	require.NoError(t, m.Init())
	spec, err := m.Spec("All", "peterson/peterson")
	require.NoError(t, err)
	require.NoError(t, m.Build(spec, 2))
	lock, err := Of(t.Context(), nil, m, Options{Explore: explore.Options{Workers: 1}, Marks: func(*automaton.Learner) automaton.Marks { return nil }})
	require.NoError(t, err)
	form := canonicalOf(lock)
	require.NotNil(t, form)

	turned := *lock
	turned.Model = backwards(lock.Model)
	other := canonicalOf(&turned)
	require.NotNil(t, other)
	require.Equal(t, form.text, other.text)
	require.Equal(t, lock.Model, other.numbered(turned.Model, form, lock.Model))

	p := turned.Model.Procs[1]
	p.Local[p.Init].Moves[0].State = p.Init
	changed := canonicalOf(&turned)
	require.True(t, changed == nil || changed.text != form.text)
}

// backwards returns a model with the states of each process numbered backwards.
func backwards(m *automaton.Model) *automaton.Model {
	out := &automaton.Model{N: m.N, Regs: m.Regs}
	for _, p := range m.Procs {
		last := int32(len(p.Local) - 1)
		q := &automaton.Proc{Init: last - p.Init, Local: slices.Clone(p.Local), Members: slices.Clone(p.Members)}
		slices.Reverse(q.Local)
		slices.Reverse(q.Members)
		for s := range q.Local {
			moves := slices.Clone(q.Local[s].Moves)
			for v := range moves {
				moves[v].State = last - moves[v].State
			}
			q.Local[s].Moves = moves
		}
		out.Procs = append(out.Procs, q)
	}
	return out
}
