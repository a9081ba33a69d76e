package automaton_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/internal/testkit/treetest"
)

const source = `package p

import "sync/atomic"

type L struct{ r atomic.Uint32 }

func New(n int) *L { return new(L) }

func (l *L) Lock(i int) {
	wasted := l.r.Load() // dead: never looked at
	if l.r.Load() != 0 { // live: decides what is written
		l.r.Store(2)
	} else {
		l.r.Store(1)
	}
	_ = wasted
}

func (l *L) Unlock(i int) {
	seen := l.r.Load() * 0 // live, but no behavior depends on it
	l.r.Store(seen)
}
`

// machine returns a machine with the lock of a text for n processes.
func machine(t *testing.T, text string, n int) *interp.Machine {
	t.Helper()
	prog, err := load.Load(context.Background(), treetest.Module(t, text), ".")
	require.NoError(t, err)
	m := interp.New(t.Context(), prog)
	require.NoError(t, m.Init())
	c, err := m.Constructor("New")
	require.NoError(t, err)
	require.NoError(t, m.Build(c, n))
	return m
}

// learner learns as many local states of a process as it may, whatever values occur.
func learner(t *testing.T, text string, n, most int) *automaton.Learner {
	t.Helper()
	l, err := automaton.New(machine(t, text, n), most, 0)
	require.NoError(t, err)
	return l
}

// TestMinimize: what is dead is no part of a state, what makes no difference is
// merged, and what makes one is not.
func TestMinimize(t *testing.T) {
	l := learner(t, source, 1, 100)
	closed, err := l.Close(64, 1<<13)
	require.NoError(t, err)
	require.True(t, closed)
	// load, load, store 1 and store 2, load, store.
	require.Len(t, l.Procs[0].States, 6)
	model, err := l.Minimize(l.AllSeen(), nil)
	require.NoError(t, err)
	require.Len(t, model.Procs[0].Local, 6)
	// With 0 the only value that occurs, only one of the stores can be reached.
	seen := l.AllSeen()
	for v := range seen[0] {
		seen[0][v] = v == 0
	}
	model, err = l.Minimize(seen, nil)
	require.NoError(t, err)
	require.Len(t, model.Procs[0].Local, 5)
	// One passage more or less is a different state.
	require.Len(t, model.Limit(2).Procs[0].Local, 11)
}
