package analyse

import (
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
	})
}

// Starvation returns a fair cycle in which process pid stays in its entry
// section, or nil.
func (s *Space) Starvation(pid int) *Lasso {
	return s.firstFair(s.within(pid, interp.Entry), nil)
}

// StuckExit returns a fair cycle in which process pid stays in its exit
// section, or nil.
func (s *Space) StuckExit(pid int) *Lasso {
	return s.firstFair(s.within(pid, interp.Exit), nil)
}

func (s *Space) within(pid int, section interp.Section) subgraph {
	return subgraph{in: func(id uint32) bool { return s.Section(id, pid) == section }}
}

// Unbounded is the bypass of a process that can be passed for ever.
const Unbounded = -1

// Bypass returns the most critical sections of other processes that can begin
// while process pid is in its entry section: past its doorway, or, with
// fromStart, from its first step on. If there is no bound it returns Unbounded
// and the cycle.
func (s *Space) Bypass(pid int, fromStart bool) (int, *Lasso) {
	g := s.waiting(pid, fromStart)
	most := make([]int32, s.G.States) // the longest path from each state
	bound, cycle := int32(0), (*Lasso)(nil)
	s.components(g, func(comp []uint32, member func(uint32) bool) {
		longest := int32(0)
		for _, id := range comp {
			for a := range s.Actors {
				to := s.G.Next(id, a)
				if !g.has(id, a, to) {
					continue
				}
				weight := int32(0)
				if s.enters(id, a, to) {
					weight = 1
				}
				if !member(to) {
					longest = max(longest, most[to]+weight)
				} else if weight > 0 && cycle == nil {
					cycle = &Lasso{g, append([]uint32(nil), comp...)}
				}
			}
		}
		for _, id := range comp {
			most[id] = longest
		}
		bound = max(bound, longest)
	})
	if cycle != nil {
		return Unbounded, cycle
	}
	return int(bound), nil
}

func (s *Space) waiting(pid int, fromStart bool) subgraph {
	if fromStart {
		return s.within(pid, interp.Entry)
	}
	return subgraph{in: func(id uint32) bool { return s.Past(id, pid) }}
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
func (s *Space) Overtaking() *Overtaking {
	var best *Overtaking
	for i := range s.N {
		for j := range s.N {
			if i == j {
				continue
			}
			if o := s.overtakes(i, j); o != nil && (best == nil || o.From < best.From) {
				best = o
			}
		}
	}
	return best
}

// overtakes searches, from all states at once in which i is past its doorway
// and j has not begun, for one in which j enters before i does.
func (s *Space) overtakes(i, j int) *Overtaking {
	g := s.waiting(i, false)
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
				reverse(o.Path)
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

func reverse(p []int) {
	for i, k := 0, len(p)-1; i < k; i, k = i+1, k-1 {
		p[i], p[k] = p[k], p[i]
	}
}
