package analyse

import (
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Deadlock returns a fair cycle without an entry while some process is in its
// entry section, or nil.
func (s *Space) Deadlock() *Lasso {
	g := subgraph{
		in:   func(uint32) bool { return true },
		keep: func(from uint32, a int, to uint32) bool { return !s.enters(from, a, to) },
	}
	return s.firstFair(g, func(id uint32) bool {
		for p := range s.N {
			if s.Section(id, p) == interp.Entry {
				return true
			}
		}
		return false
	}, nil)
}

// Stays returns a fair cycle in which process pid stays in a section, or nil.
// It calls waits, unless that is nil, with the states of all cycles in the
// section, fair or not, from which the process takes a step on the cycle: if
// there are none, it leaves the section after a bounded number of its own steps.
func (s *Space) Stays(pid int, section interp.Section, waits func(id uint32)) *Lasso {
	var each func([]uint32, func(uint32) bool)
	if waits != nil {
		each = func(comp []uint32, member func(uint32) bool) {
			for _, id := range comp {
				if to := s.G.Next(id, pid); to != explore.None && member(to) {
					waits(id)
				}
			}
		}
	}
	return s.firstFair(s.within(pid, section), nil, each)
}

func (s *Space) within(pid int, section interp.Section) subgraph {
	return subgraph{in: func(id uint32) bool { return s.Section(id, pid) == section }}
}

// Unbounded is the bypass of a process that can be passed for ever.
const Unbounded = -1

// Bypass returns the most critical sections of other processes that can begin
// while process pid waits or, if w is nil, while it is in its entry section. If
// there is no bound it returns Unbounded and the cycle.
func (s *Space) Bypass(pid int, w Waiting) (int, *Lasso) {
	g := s.within(pid, interp.Entry)
	if w != nil {
		g = s.waiting(pid, w)
	}
	most, cycle := s.longest(g, func(from uint32, a int, to uint32) int32 {
		if a != pid && s.enters(from, a, to) {
			return 1
		}
		return 0
	})
	if cycle != nil {
		return Unbounded, cycle
	}
	return int(slices.Max(most)), nil
}

// longest returns the weight of the heaviest path from each state of a
// subgraph, up to and with the step that leaves it, or a cycle that has weight.
func (s *Space) longest(g subgraph, weight func(from uint32, actor int, to uint32) int32) (most []int32, cycle *Lasso) {
	most = make([]int32, s.G.States)
	s.graph(g).Components(func(comp []uint32, member func(uint32) bool) {
		longest := int32(0)
		for _, id := range comp {
			for a := range s.Actors {
				to := s.G.Next(id, a)
				if to == explore.None {
					continue
				}
				w := weight(id, a, to)
				if !g.in(to) {
					longest = max(longest, w)
				} else if !member(to) {
					longest = max(longest, most[to]+w)
				} else if w > 0 && cycle == nil {
					cycle = &Lasso{g, slices.Clone(comp)}
				}
			}
		}
		for _, id := range comp {
			most[id] = longest
		}
	})
	return most, cycle
}

// Passage returns the most that the steps of one passage of process pid can
// cost together, where cost gives the cost of a step of pid from a state, or
// Unbounded.
func (s *Space) Passage(pid int, cost func(from uint32) int32) int {
	busy := subgraph{in: func(id uint32) bool { return s.Section(id, pid) != interp.Remainder }}
	most, cycle := s.longest(busy, func(from uint32, a int, _ uint32) int32 {
		if a == pid {
			return cost(from)
		}
		return 0
	})
	if cycle != nil {
		return Unbounded
	}
	worst := int32(0)
	for id := range uint32(s.G.States) {
		to := s.G.Next(id, pid)
		if s.Section(id, pid) != interp.Remainder || to == explore.None {
			continue
		}
		worst = max(worst, cost(id)+most[to])
	}
	return int(worst)
}

func (s *Space) waiting(pid int, w Waiting) subgraph {
	return subgraph{in: func(id uint32) bool { return w[int(id)*s.N+pid] }}
}

// Overtaking is an execution that is not first-come-first-served: from From,
// where process First is past its doorway and Second has not begun, to To,
// where Second is in and First is not.
type Overtaking struct {
	First, Second int
	From, To      uint32
	// Path is the actors that step on the way.
	Path []int
}

// Overtaking returns a shortest overtaking, or nil if there is none.
func (s *Space) Overtaking(w Waiting) *Overtaking {
	var best *Overtaking
	for i := range s.N {
		for j := range s.N {
			if i == j {
				continue
			}
			if o := s.overtakes(w, i, j); o != nil && (best == nil || o.From < best.From) {
				best = o
			}
		}
	}
	return best
}

// overtakes searches, from all states at once in which i is past its doorway
// and j has not begun, for one in which j enters before i does.
func (s *Space) overtakes(w Waiting, i, j int) *Overtaking {
	g := s.waiting(i, w)
	from := make([]uint32, s.G.States) // the state before, +1
	by := make([]uint8, s.G.States)
	var queue []uint32
	for id := range uint32(s.G.States) {
		if g.in(id) && s.Section(id, j) == interp.Remainder {
			from[id] = id + 1
			queue = append(queue, id)
		}
	}
	for k := 0; k < len(queue); k++ {
		id := queue[k]
		for a := range s.Actors {
			to := s.G.Next(id, a)
			if to == explore.None || !g.in(to) {
				continue
			}
			if a == j && s.enters(id, a, to) {
				o := &Overtaking{First: i, Second: j, To: to, Path: []int{a}}
				for from[id] != id+1 {
					o.Path = append(o.Path, int(by[id]))
					id = from[id] - 1
				}
				o.From = id
				slices.Reverse(o.Path)
				return o
			}
			if from[to] == 0 {
				from[to], by[to] = id+1, uint8(a)
				queue = append(queue, to)
			}
		}
	}
	return nil
}
