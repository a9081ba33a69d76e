package check

import (
	"slices"

	"shmbench/check/internal/automaton"
)

// alikeIn tells which processes are alike in what was explored: mapped to one
// another in a way that maps the states that can be reached to themselves.
func alikeIn(x *explored) []automaton.Alike {
	return x.model.Model.Alike(x.quiet(), func(reg int32) int { return x.lock.owner(x.names.Cell(x.model.Model.Regs[reg].At)) })
}

// mostQuiet is how many states are looked at in which everybody is done.
const mostQuiet = 16

// quiet returns the values of the registers in the initial state, and in others
// that can be reached and differ from it in nothing else.
func (x *explored) quiet() (quiet [][]int32) {
	rest := func(id uint32) []uint64 {
		s := slices.Clone(x.graph.State(id))
		for _, f := range x.sys.Regs {
			s[f.Word] &^= f.Mask << f.Shift
		}
		return s
	}
	initial := rest(0)
	for id := uint32(0); id < uint32(x.graph.States) && len(quiet) < mostQuiet; id++ {
		still := true
		for pid, f := range x.sys.Procs {
			still = still && f.Of(x.graph.State(id)) == x.model.Model.Procs[pid].Init
		}
		if !still || !slices.Equal(rest(id), initial) {
			continue
		}
		var values []int32
		for _, f := range x.sys.Regs {
			values = append(values, f.Of(x.graph.State(id)))
		}
		quiet = append(quiet, values)
	}
	return quiet
}

// first returns the process of which it is decided what is decided of another.
func (x *explored) first(pid int) int {
	if x.alike == nil {
		return pid
	}
	return x.alike[pid].First
}

// firsts are the processes of which that is decided by themselves.
func (x *explored) firsts() (firsts []int) {
	for pid := range x.n {
		if x.first(pid) == pid {
			firsts = append(firsts, pid)
		}
	}
	return firsts
}

// symmetric returns the sets of processes that are alike, of two or more.
func (x *explored) symmetric() (sets [][]int) {
	for _, first := range x.firsts() {
		var set []int
		for pid := range x.n {
			if x.first(pid) == first {
				set = append(set, pid)
			}
		}
		if len(set) > 1 {
			sets = append(sets, set)
		}
	}
	return sets
}
