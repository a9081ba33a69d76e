package symmetry

import "shmbench/check/internal/automaton"

// Holds reports whether a renaming is a symmetry of a model: it has a new name for everything, no
// name twice, and each step becomes a step. Holds compares every step, and takes nothing from the
// search that has found the renaming.
func (g *Renaming) Holds(m *automaton.Model) bool {
	if m.Heap != nil || !onto(g.Procs, m.N) || !onto(g.Regs, len(m.Regs)) {
		return false
	}
	for r, reg := range m.Regs {
		as := m.Regs[g.Regs[r]]
		if reg.Decided != as.Decided || len(reg.Values) != len(as.Values) || !onto(g.Values[r], len(as.Values)) {
			return false
		}
	}
	for pid, p := range m.Procs {
		as := m.Procs[g.Procs[pid]]
		if !onto(g.Locals[pid], len(as.Local)) || len(p.Local) != len(as.Local) {
			return false
		}
		for s := range p.Local {
			if !g.holdsOf(m, pid, &p.Local[s], &as.Local[g.Locals[pid][s]]) {
				return false
			}
		}
	}
	return true
}

// holdsOf reports whether the steps of process pid in local state l become those in the local
// state as.
func (g *Renaming) holdsOf(m *automaton.Model, pid int, l, as *automaton.Local) bool {
	if !alike(l, as) {
		return false
	}
	if l.Reg < 0 {
		return as.Reg == l.Reg
	}
	if int(l.Reg) >= len(m.Regs) || g.Regs[l.Reg] != as.Reg {
		return false
	}
	for v, to := range l.Moves {
		w := g.Values[l.Reg][v]
		if l.Decides && int(w) != v { // the outcomes of a decision have numbers
			return false
		}
		if as.Moves[w] != (automaton.Move{State: named(g.Locals[pid], to.State), Value: named(g.Values[l.Reg], to.Value)}) {
			return false
		}
	}
	return true
}

// named is the new name of a state or value. What is not known stays so.
func named(names []int32, old int32) int32 {
	if old < 0 {
		return old
	}
	return names[old]
}

// alike reports whether two local states are the same apart from their steps: in what the properties of
// single states depend on, and in how many steps there are. Marks are no part of that: they tell
// lines of the source apart.
func alike(a, b *automaton.Local) bool {
	return a.Section == b.Section && a.Mode == b.Mode && a.GaveUp == b.GaveUp && a.Kind == b.Kind && a.Decides == b.Decides &&
		a.Starts == b.Starts && a.Running == b.Running && a.Passages == b.Passages && stops(a) == stops(b) &&
		len(a.Moves) == len(b.Moves) && a.Binds == nil && b.Binds == nil
}

// stops is how a process stops in a local state: not at all, with a fault, or with one that the
// checker cannot model.
func stops(l *automaton.Local) int {
	switch {
	case l.Fault == nil:
		return 0
	case l.Fault.Refused:
		return 1
	}
	return 2
}

// onto reports whether names are all numbers below count, each once.
func onto(names []int32, count int) bool {
	if len(names) != count {
		return false
	}
	taken := make([]bool, count)
	for _, j := range names {
		if j < 0 || int(j) >= count || taken[j] {
			return false
		}
		taken[j] = true
	}
	return true
}
