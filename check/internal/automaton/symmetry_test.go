package automaton_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// testAndSet is a model of two processes that share a word: each takes it, and then
// writes the register that it has to itself, and gives it back.
func testAndSet() *automaton.Model {
	m := &automaton.Model{N: 2, Regs: make([]automaton.Reg, 3)}
	for r := range m.Regs {
		m.Regs[r].Values = []interp.Value{interp.Num(0), interp.Num(1)}
	}
	for pid := range int32(2) {
		const both = automaton.Reads | automaton.Writes
		m.Procs = append(m.Procs, &automaton.Proc{Local: []automaton.Local{
			{Section: interp.Remainder, Kind: both, Reg: 0, Moves: []automaton.Move{{State: 2, Value: 1}, {State: 1, Value: 1}}},
			{Section: interp.Entry, Kind: both, Reg: 0, Moves: []automaton.Move{{State: 2, Value: 1}, {State: 1, Value: 1}}},
			{Section: interp.Critical, Kind: automaton.Writes, Reg: 1 + pid, Moves: []automaton.Move{{State: 3, Value: 1}, {State: 3, Value: 0}}},
			{Section: interp.Exit, Kind: automaton.Writes, Reg: 0, Moves: []automaton.Move{{State: 0, Value: 0}, {State: 0, Value: 0}}},
		}})
	}
	return m
}

// TestAlike: one thing that differs between two processes makes them differ.
func TestAlike(t *testing.T) {
	nobody := func(int32) int { return -1 }
	initial := [][]int32{{0, 0, 0}}
	alike := func(m *automaton.Model, owner func(int32) int) bool {
		found := m.Alike(initial, owner)
		require.Equal(t, automaton.Alike{First: 0, Initial: true}, found[0])
		return found[1].First == 0
	}
	require.True(t, alike(testAndSet(), nobody))
	require.Equal(t, []int32{0, 1, 2, 3}, testAndSet().Alike(initial, nobody)[1].State)
	for name, change := range map[string]func(*automaton.Proc){
		"section":   func(p *automaton.Proc) { p.Local[3].Section = interp.Critical },
		"mode":      func(p *automaton.Proc) { p.Local[1].Mode = shm.Try },
		"gives up":  func(p *automaton.Proc) { p.Local[1].GaveUp = true },
		"decides":   func(p *automaton.Proc) { p.Local[1].Decides = true },
		"kind":      func(p *automaton.Proc) { p.Local[3].Kind |= automaton.Reads },
		"order":     func(p *automaton.Proc) { p.Local[2].Kind |= automaton.Released },
		"mark":      func(p *automaton.Proc) { p.Local[1].Mark = automaton.PastDoorway },
		"passages":  func(p *automaton.Proc) { p.Local[1].Passages = 1 },
		"starts":    func(p *automaton.Proc) { p.Local[2].Starts = true },
		"running":   func(p *automaton.Proc) { p.Local[2].Running = true },
		"fault":     func(p *automaton.Proc) { p.Local[1].Fault = &interp.Fault{} },
		"register":  func(p *automaton.Proc) { p.Local[2].Reg = 0 },
		"no access": func(p *automaton.Proc) { p.Local[1].Reg = -1 },
		"step":      func(p *automaton.Proc) { p.Local[2].Moves[0].State = 0 },
		"value":     func(p *automaton.Proc) { p.Local[1].Moves[1].Value = 0 },
		"unknown":   func(p *automaton.Proc) { p.Local[1].Moves[1].Value = automaton.Unknown },
		"shares":    func(p *automaton.Proc) { p.Local[1].Moves[1].State = automaton.Binds },
		"states":    func(p *automaton.Proc) { p.Local = append(p.Local, automaton.Local{Reg: -1}) },
	} {
		m := testAndSet()
		change(m.Procs[1])
		require.False(t, alike(m, nobody), name)
	}
	// What is decided otherwise leads elsewhere.
	deciding := func(other int32) *automaton.Model {
		m := testAndSet()
		for pid, p := range m.Procs {
			p.Local = append(p.Local, automaton.Local{Decides: true, Reg: 3, Moves: []automaton.Move{{State: 0}, {State: 1, Value: 1}}})
			p.Local[3].Moves = []automaton.Move{{State: 4}, {State: 4}}
			if pid == 1 {
				p.Local[4].Moves[1].State = other
			}
		}
		m.Regs = append(m.Regs, automaton.Reg{Values: m.Regs[0].Values})
		return m
	}
	initial[0] = append(initial[0], 0)
	require.True(t, alike(deciding(1), nobody))
	require.False(t, alike(deciding(0), nobody))
	m := testAndSet()
	m.Regs[2].Values = append(m.Regs[2].Values, interp.Num(2))
	require.False(t, alike(m, nobody), "values")
	m = testAndSet()
	m.Heap = &automaton.Heap{}
	require.False(t, alike(m, nobody), "what processes allocate")
	require.True(t, alike(testAndSet(), func(r int32) int { return int(r) - 1 }), "whose registers are")
	require.False(t, alike(testAndSet(), func(r int32) int { return min(0, -int(r)) }), "the word in the memory of one")
	require.False(t, alike(testAndSet(), func(r int32) int { return min(int(r), 1) - 1 }), "both in that of one")
}
