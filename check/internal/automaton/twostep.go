package automaton

import "shmbench/check/internal/interp"

// Weak tells which registers need not be atomic: those that only loads and
// stores are made to. A word that a read-modify-write operation is made to stays
// atomic.
func (m *Model) Weak() []bool {
	weak := make([]bool, len(m.Regs))
	for r := range weak {
		weak[r] = true
	}
	for _, p := range m.Procs {
		for _, l := range p.Local {
			if l.Reg >= 0 && int(l.Reg) < len(weak) && l.Kind&(Reads|Writes) != Reads && l.Kind&(Reads|Writes) != Writes {
				weak[l.Reg] = false
			}
		}
	}
	return weak
}

// TwoStepWrites returns the model in which a store to one of the given registers
// takes two steps: it starts and it finishes. The first leads to a local state in
// which the store is running. A process that has started to write in its remainder
// section is in its entry section. One that has in its critical section is in its exit
// section.
func (m *Model) TwoStepWrites(registers []bool) *Model {
	out := &Model{N: m.N, Regs: m.Regs, Heap: m.Heap}
	for _, p := range m.Procs {
		split := &Proc{Init: p.Init, Local: append([]Local(nil), p.Local...), Members: append([][]int32(nil), p.Members...)}
		for s, l := range p.Local {
			if l.Reg < 0 || int(l.Reg) >= len(registers) || !registers[l.Reg] || l.Kind&Writes == 0 {
				continue
			}
			running := l
			running.Running = true
			switch l.Section {
			case interp.Remainder:
				running.Section = interp.Entry
			case interp.Critical:
				running.Section = interp.Exit
			}
			start := &split.Local[s]
			start.Moves = make([]Move, len(l.Moves))
			for v := range start.Moves {
				start.Moves[v] = Move{int32(len(split.Local)), int32(v)}
			}
			start.Starts = true
			split.Local = append(split.Local, running)
			split.Members = append(split.Members, p.Members[s])
		}
		out.Procs = append(out.Procs, split)
	}
	return out
}
