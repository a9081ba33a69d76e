package analyse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// TestReadForEver: a process that reads forever what another writes again and
// again, but does not write itself, loses its copy again and again. What it alone
// writes again and again is not decided.
func TestReadForEver(t *testing.T) {
	reg := func(obj int32) automaton.Reg {
		return automaton.Reg{At: interp.Ptr{Obj: obj}, Values: []interp.Value{interp.Num(0), interp.Num(1)}}
	}
	local := func(section interp.Section, kind automaton.AccessKind, reg int32, zero, one automaton.Move) automaton.Local {
		return automaton.Local{Section: section, Kind: kind, Reg: reg, Moves: []automaton.Move{zero, one}}
	}
	move := func(state, value int32) automaton.Move { return automaton.Move{State: state, Value: value} }
	writer := &automaton.Proc{Local: []automaton.Local{
		local(interp.Remainder, automaton.Writes, 0, move(1, 1), move(1, 1)),
		local(interp.Critical, automaton.Writes, 0, move(0, 0), move(0, 0)),
	}}
	reader := &automaton.Proc{Local: []automaton.Local{
		local(interp.Remainder, automaton.Reads, 1, move(1, 0), move(1, 1)),
		local(interp.Entry, automaton.Reads, 0, move(1, 0), move(1, 1)),
	}}
	alone := &automaton.Proc{Local: []automaton.Local{
		local(interp.Remainder, automaton.Reads, 0, move(1, 0), move(1, 1)),
		local(interp.Entry, automaton.Writes, 1, move(1, 1), move(1, 1)),
	}}
	for _, c := range []struct {
		name string
		with *automaton.Proc
		ok   bool
	}{{"reads", reader, true}, {"writes", alone, false}} {
		sc := explore.NewSC(&automaton.Model{N: 2, Regs: []automaton.Reg{reg(1), reg(2)}, Procs: []*automaton.Proc{c.with, writer}})
		g := explore.Run(t.Context(), sc, explore.Options{Keep: true})
		s := analyse.New(g, 1, sc.Procs, [][]interp.Section{{c.with.Local[0].Section, c.with.Local[1].Section}, {interp.Remainder, interp.Critical}})
		r, ok := s.Cold(sc, 0)
		require.Equal(t, c.ok, ok, c.name)
		if ok {
			require.Equal(t, analyse.Remote{Through: -1, Back: -1, FirstThrough: -1, FirstBack: -1}, r, c.name)
		}
	}
}
