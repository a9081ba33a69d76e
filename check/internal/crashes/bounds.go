package crashes

import "shmbench/check/internal/interp"

// Bound is the most own steps that a process takes, or a cycle in which it takes steps
// without end.
type Bound struct {
	Steps int
	Pid   int
	Lasso *Lasso
}

// Reentry bounds the steps of a process from its crash in its critical section until it
// enters again, if it does not crash on the way. What the others do does not matter.
func (s *Space) Reentry() Bound { return s.bound(s.owed, 0) }

// Recovery bounds the steps of Recover.
func (s *Space) Recovery() Bound {
	return s.bound(func(id uint32, pid int) bool { return s.section(id, pid) == interp.Recovery }, 1)
}

// Exit bounds the steps of the exit section.
func (s *Space) Exit() Bound {
	return s.bound(func(id uint32, pid int) bool { return s.section(id, pid) == interp.Exit }, 1)
}

// bound bounds the steps that a process makes from states that in holds for while it does
// for all states between, and adds first, the steps that lead there.
func (s *Space) bound(in func(id uint32, pid int) bool, first int) (most Bound) {
	most.Steps = first
	for pid := range s.n {
		steps, lasso := s.longest(pid, func(id uint32) bool { return in(id, pid) })
		if lasso != nil {
			return Bound{Pid: pid, Lasso: lasso}
		}
		most.Steps = max(most.Steps, first+steps)
	}
	return most
}

// longest returns the most steps of a process from states of a set; the last one may
// lead out of it, or a cycle with a step of the process.
func (s *Space) longest(pid int, in func(id uint32) bool) (most int, lasso *Lasso) {
	p := part{in, func(from uint32, actor int, _ uint32) bool { return !s.hits(from, actor, pid) }}
	own := func(_ uint32, actor int, _ uint32) bool { return actor == pid }
	lasso = s.nearest(p, func(component []uint32, member func(uint32) bool) bool {
		return s.steps(p, component, member, own)
	}, func(_ uint32, step int) bool { return step == pid })
	if lasso != nil {
		return 0, lasso
	}
	from := make(map[uint32]int)
	s.graph(p).Components(func(component []uint32, _ func(uint32) bool) {
		longest := 0
		for _, id := range component {
			for actor, to := range s.G.Successors(id) {
				step := 0
				if actor == pid {
					step = 1
				}
				switch {
				case p.has(id, actor, to):
					longest = max(longest, step+from[to])
				case actor == pid && int(to) < s.G.States:
					longest = max(longest, step)
				}
			}
		}
		for _, id := range component {
			from[id] = longest
		}
		most = max(most, longest)
	})
	return most, nil
}
