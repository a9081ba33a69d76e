package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/load"
	"shmbench/check/internal/model"
	"shmbench/internal/testkit/treetest"
)

// guarded raises an alarm if two processes are inside.
const guarded = `package p

import "sync/atomic"

type L struct{ busy, inside, alarm atomic.Bool }

func New(n int) *L { return new(L) }

func (l *L) Lock(int) {
	for l.busy.Swap(true) {
	}
	if l.inside.Swap(true) {
		l.alarm.Store(true)
	}
}

func (l *L) Unlock(int) {
	l.alarm.Load()
	l.inside.Store(false)
	l.busy.Store(false)
}
`

// TestNarrow: a value that a process would store only in a state that does not occur is left out.
func TestNarrow(t *testing.T) {
	prog, err := load.Load(t.Context(), treetest.Module(t, guarded), ".")
	require.NoError(t, err)
	lock, err := model.Learn(t.Context(), builderOf(prog, "New"), 2, model.Options{Marks: unmarked})
	require.NoError(t, err)
	values := map[string]int{}
	for _, r := range lock.Model.Regs {
		values[lock.Learner.M.Names().Cell(r.At)] = len(r.Values)
	}
	require.Equal(t, map[string]int{"busy": 2, "inside": 2, "alarm": 1}, values)
	all := lock.WithAllSeen()
	for r := range all.Seen {
		require.NotContains(t, all.Seen[r], false)
	}
	learned := 0
	for _, of := range all.Seen {
		learned += len(of)
	}
	require.Equal(t, 6, learned, "the automata alone do not tell")
}

// TestPiling: where ever more memory can be reached, passages are limited.
func TestPiling(t *testing.T) {
	lock, err := model.Learn(t.Context(), builder(t, "nodes", "NewLinked"), 1, model.Options{Marks: unmarked})
	require.NoError(t, err)
	require.NotNil(t, lock.Piling)
	require.Equal(t, 2, lock.Passages)
}

// TestRoom: registers that turn up seldom make an exploration begin again.
func TestRoom(t *testing.T) {
	m, err := builder(t, "nodes", "NewEveryone")(t.Context(), 3)
	require.NoError(t, err)
	l, err := automaton.New(m, 1<<10, 0)
	require.NoError(t, err)
	known, begun := len(l.Regs), 0
	for grown := true; grown; begun++ {
		raw := explore.NewRaw(l, explore.RawOptions{MaxValues: 100})
		explore.Run(t.Context(), raw, explore.Options{MaxStates: 10_000})
		require.NoError(t, raw.Err)
		grown = raw.Grown
	}
	require.Less(t, 2*begun, len(l.Regs)-known)
}
