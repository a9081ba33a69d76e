// Package symmetry finds the symmetries of a model: renamings of its processes, registers, values
// and local states that leave all its steps as they are. It finds them in the automata alone, and
// knows nothing of ids.
package symmetry

import "shmbench/check/internal/automaton"

// Renaming gives each process, register, value and local state of a model another one. Value v of
// register r becomes value Values[r][v] of register Regs[r]. Local state s of process p becomes
// local state Locals[p][s] of process Procs[p].
type Renaming struct {
	Procs, Regs    []int32
	Values, Locals [][]int32
}

// newRenaming returns a renaming in which nothing has a new name yet.
func newRenaming(m *automaton.Model) Renaming {
	g := Renaming{Procs: unnamed(m.N), Regs: unnamed(len(m.Regs))}
	for _, r := range m.Regs {
		g.Values = append(g.Values, unnamed(len(r.Values)))
	}
	for _, p := range m.Procs {
		g.Locals = append(g.Locals, unnamed(len(p.Local)))
	}
	return g
}

// none stands for a name that is not known yet.
const none = -1

func unnamed(count int) []int32 {
	all := make([]int32, count)
	for i := range all {
		all[i] = none
	}
	return all
}

// Identity reports whether the renaming changes nothing.
func (g *Renaming) Identity() bool {
	all := identity(g.Procs) && identity(g.Regs)
	for _, of := range [][][]int32{g.Values, g.Locals} {
		for _, to := range of {
			all = all && identity(to)
		}
	}
	return all
}

func identity(to []int32) bool {
	for i, j := range to {
		if int(j) != i {
			return false
		}
	}
	return true
}

// Fixes reports whether the renaming leaves the initial state of a model as it is.
func (g *Renaming) Fixes(m *automaton.Model) bool {
	for pid, p := range m.Procs {
		if g.Locals[pid][p.Init] != m.Procs[g.Procs[pid]].Init {
			return false
		}
	}
	for r := range m.Regs {
		if !m.Regs[r].Decided && g.Values[r][0] != 0 {
			return false
		}
	}
	return true
}
