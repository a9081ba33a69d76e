package explore

import (
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/symmetry"
)

// keptSteps returns the steps that are made only with those of all processes, by process, local state and value: those
// that change what a fault depends on, and one of each cycle of a process's automaton. So a process that goes around never makes the others
// wait forever. With a step, what symmetries make of it is kept.
func keptSteps(sc *SC, group []symmetry.Renaming) [][][]bool {
	kept := make([][][]bool, sc.Model.N)
	racy := racyRegisters(sc.Model)
	for pid, p := range sc.Model.Procs {
		for s, l := range p.Local {
			of := make([]bool, len(l.Moves))
			for v, m := range l.Moves {
				of[v] = m.State < 0 || m.Value < 0 || sc.visible(pid, int32(s), m.State, racy) || m.State == int32(s) && m.Value != int32(v)
			}
			kept[pid] = append(kept[pid], of)
		}
	}
	done := make([]bool, sc.Model.N)
	for pid, p := range sc.Model.Procs {
		if !done[pid] { // the cycles of others are its own with other names
			cut(p, kept[pid])
			spread(sc.Model, group, pid, kept, done)
		}
	}
	return kept
}

// spread keeps what symmetries make of the kept steps of a process, and notes whose steps these are.
func spread(m *automaton.Model, group []symmetry.Renaming, pid int, kept [][][]bool, done []bool) {
	own := make([][]bool, len(kept[pid]))
	for s, of := range kept[pid] {
		own[s] = slices.Clone(of)
	}
	for _, g := range group {
		to := g.Procs[pid]
		done[to] = true
		for s, of := range own {
			for v, is := range of {
				if is {
					kept[to][g.Locals[pid][s]][g.Values[m.Procs[pid].Local[s].Reg][v]] = true
				}
			}
		}
	}
}

// racyRegisters are those that some process accesses plainly.
func racyRegisters(m *automaton.Model) map[int32]bool {
	racy := map[int32]bool{}
	for _, p := range m.Procs {
		for _, l := range p.Local {
			if l.Kind&automaton.Plain != 0 {
				racy[l.Reg] = true
			}
		}
	}
	return racy
}

// visible reports whether a step from one local state to another changes what a fault of a state depends on.
func (s *SC) visible(pid int, from, to int32, racy map[int32]bool) bool {
	a, b := &s.local[pid][from], &s.local[pid][to]
	return a.critical != b.critical || a.fault != b.fault || from != to && (racy[a.register] || racy[b.register])
}

// cut keeps a step of each cycle of an automaton in which the process changes its local state.
func cut(p *automaton.Proc, kept [][]bool) {
	const entered, left = 1, 2
	mark := make([]byte, len(p.Local))
	type at struct {
		state int32
		value int
	}
	for first := range int32(len(p.Local)) {
		if mark[first] != 0 {
			continue
		}
		mark[first] = entered
		for stack := []at{{first, 0}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			if top.value == len(p.Local[top.state].Moves) {
				mark[top.state] = left
				stack = stack[:len(stack)-1]
				continue
			}
			v, from := top.value, top.state
			top.value++
			to := p.Local[from].Moves[v].State
			switch {
			case kept[from][v] || to == from:
			case mark[to] == entered:
				kept[from][v] = true
			case mark[to] == 0:
				mark[to] = entered
				stack = append(stack, at{to, 0})
			}
		}
	}
}
