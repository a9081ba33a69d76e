package explored

import (
	"shmbench/check/internal/interp"
)

// Exact reports whether the states of a lock whose registers hold counts are those of the lock with
// whole numbers, up to a common number that is added to all counts of a class. They are if the
// counts of a class are so close together in each state that no two numbers which are compared have
// the same remainder by mistake. If they are not, it returns the register of a class whose counts
// get too far apart.
func (x *Lock) Exact() (far interp.Ptr, ok bool) {
	m := x.Learned.Model
	counts, ok := x.Learned.Learner.Counts(m)
	classes := m.Classes()
	if len(classes) == 0 || !ok {
		return far, false
	}
	number := map[interp.Ptr]int{}
	for i, c := range classes {
		number[c.Of] = i
	}
	moves := make([]int64, len(classes))
	for i, c := range classes {
		moves[i] = x.Learned.Learner.M.Moves(c.Of)
		if c.Lap > 0 && uint64(moves[i]) > c.M/4 {
			return c.Of, false
		}
	}
	in := make([]uint64, len(classes)) // the counts of a state, by class, as sets
	// Of an anchored class: whether a small number may get large, and whether one is in a later lap.
	rises, later := make([]bool, len(classes)), make([]bool, len(classes))
	add := func(v interp.Value) {
		if c, ok := v.(interp.Count); ok {
			i := number[c.Of]
			small, up := c.Small(moves[i])
			if !small {
				in[i] |= 1 << c.N
			}
			rises[i], later[i] = rises[i] || up, later[i] || c.Lap == interp.LaterLap
		}
	}
	known := make([]map[uint64]bool, len(classes))
	for id := range uint32(x.Graph.States) {
		state := x.Graph.State(id)
		clear(in)
		clear(rises)
		clear(later)
		for r, reg := range x.Sys.Regs {
			add(m.Regs[r].Values[reg.Of(state)])
		}
		for pid, local := range x.Sys.Procs {
			for _, c := range counts[pid][local.Of(state)] {
				add(c)
			}
			for r, v := range x.Memory.Pending(state, pid) {
				add(m.Regs[r].Values[v])
			}
		}
		for i, set := range in {
			if rises[i] && later[i] {
				return classes[i].Of, false
			}
			if known[i] == nil {
				known[i] = map[uint64]bool{}
			}
			if known[i][set] {
				continue
			}
			if known[i][set] = true; !close(set, classes[i].M, moves[i]) {
				return classes[i].Of, false
			}
		}
	}
	return far, true
}

// close reports whether a set of remainders lies within so short a part of the circle of all
// remainders that they tell how far the numbers are apart, also after one more step. A step moves a
// number by moves at most.
func close(set, modulo uint64, moves int64) bool {
	longest := int64(modulo)/2 - moves - 1
	if longest < 0 {
		return false
	}
	within := func(from uint64) bool { // all are in from, from+1, …, from+longest
		for i := uint64(longest) + 1; i < modulo; i++ {
			if set>>((from+i)%modulo)&1 == 1 {
				return false
			}
		}
		return true
	}
	for from := range modulo {
		if within(from) {
			return true
		}
	}
	return false
}
