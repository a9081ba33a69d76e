package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// litmus is two processes. Each process stores to its own register and then loads the
// other's. A process that loads 0 enters its critical section.
func litmus() *explore.SC {
	const one = interp.Num(1)
	reg := func(obj int32) automaton.Reg {
		return automaton.Reg{At: interp.Ptr{Obj: obj}, Values: []interp.Value{interp.Num(0), one}}
	}
	proc := func(own, other int32) *automaton.Proc {
		return &automaton.Proc{Local: []automaton.Local{
			{Kind: automaton.Writes, Reg: own, Moves: []automaton.Move{{State: 1, Value: 1}, {State: 1, Value: 1}}},
			{Section: interp.Entry, Kind: automaton.Reads, Reg: other, Moves: []automaton.Move{{State: 2, Value: 0}, {State: 3, Value: 1}}},
			{Section: interp.Critical, Reg: -1},
			{Section: interp.Exit, Reg: -1},
		}}
	}
	return explore.NewSC(&automaton.Model{N: 2, Regs: []automaton.Reg{reg(1), reg(2)}, Procs: []*automaton.Proc{proc(0, 1), proc(1, 0)}})
}

// TestStoreBuffering: both loads can miss the other's store if, and only if, one
// of the stores is buffered.
func TestStoreBuffering(t *testing.T) {
	for _, c := range []struct {
		buffered [2]bool
		both     bool
	}{{[2]bool{false, false}, false}, {[2]bool{true, false}, true}, {[2]bool{true, true}, true}} {
		sys := explore.NewTSO(litmus(), 4, func(pid int, _ int32) bool { return c.buffered[pid] })
		g := explore.Run(t.Context(), sys, explore.Options{Workers: 2})
		_, both := g.Bad[explore.Exclusion]
		require.Equal(t, c.both, both, "buffered %v", c.buffered)
		require.True(t, g.Exhausted)
	}
	sc := explore.Run(t.Context(), litmus(), explore.Options{})
	tso := explore.Run(t.Context(), explore.NewTSO(litmus(), 4, func(int, int32) bool { return false }), explore.Options{})
	require.Equal(t, sc.States, tso.States, "without buffered stores nothing changes")
	require.Equal(t, sc.Edges, tso.Edges)
}
