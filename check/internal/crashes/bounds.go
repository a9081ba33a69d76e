package crashes

import (
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Bound is the most own steps that a process takes. If it takes steps without end in a cycle, Steps
// is shm.Unbounded, and Lasso leads to the cycle.
type Bound struct {
	Steps int
	Pid   int
	Lasso *Lasso
}

// Reentry bounds the steps of a process from its crash in its critical section until it
// enters again. The process does not crash on the way. The others may do anything.
func (s *Space) Reentry() Bound { return s.bound(s.owed, 0) }

// Recovery bounds the steps of Recover.
func (s *Space) Recovery() Bound {
	return s.bound(func(id uint32, pid int) bool { return s.section(id, pid) == interp.Recovery }, 1)
}

// Exit bounds the steps of the exit section.
func (s *Space) Exit() Bound {
	return s.bound(func(id uint32, pid int) bool { return s.section(id, pid) == interp.Exit }, 1)
}

// Cost returns the most steps of a process in one passage that costs holds for. A passage
// ends with the exit section or with a crash of the process.
func (s *Space) Cost(pid int, costs func(id uint32) bool) Bound {
	in := func(id uint32) bool { return s.section(id, pid) != interp.Remainder }
	ahead, lasso := s.longest(pid, in, costs)
	if lasso != nil {
		return Bound{shm.Unbounded, pid, lasso}
	}
	most := 0
	for id := range uint32(s.G.States) {
		if to := s.G.Next(id, pid); to != explore.None && !in(id) {
			most = max(most, analyse.Count(costs(id))+int(ahead[to]))
		}
	}
	return Bound{Steps: most, Pid: pid}
}

// bound bounds the steps that a process makes from states that in holds for while it does
// for all states between, and adds first, the steps that lead there.
func (s *Space) bound(in func(id uint32, pid int) bool, first int) (most Bound) {
	most.Steps = first
	for pid := range s.n {
		ahead, lasso := s.longest(pid, func(id uint32) bool { return in(id, pid) }, analyse.Anywhere)
		if lasso != nil {
			return Bound{shm.Unbounded, pid, lasso}
		}
		most.Steps = max(most.Steps, first+int(slices.Max(ahead)))
	}
	return most
}

// longest returns for each state of a set the most steps of a process from there that costs
// holds for, or a cycle with such a step. The last step may lead out of the set.
func (s *Space) longest(pid int, in, costs func(id uint32) bool) (ahead []int32, lasso *Lasso) {
	p := analyse.Part{In: in, Keep: func(from uint32, actor int, _ uint32) bool { return !s.hits(from, actor, pid) }}
	lasso = s.nearest(p, func(component []uint32, member func(uint32) bool) bool {
		return s.steps(p, component, member, func(from uint32, actor int, _ uint32) bool { return actor == pid && costs(from) })
	}, func(id uint32, step int) bool { return step == pid && costs(id) })
	if lasso != nil {
		return nil, lasso
	}
	ahead = make([]int32, s.G.States)
	p.Of(s.G).Components(func(component []uint32, _ func(uint32) bool) {
		longest := int32(0)
		for _, id := range component {
			for actor, to := range s.G.Successors(id) {
				step := int32(analyse.Count(actor == pid && costs(id)))
				switch {
				case p.Has(id, actor, to):
					longest = max(longest, step+ahead[to])
				case actor == pid && to != explore.None:
					longest = max(longest, step)
				}
			}
		}
		for _, id := range component {
			ahead[id] = longest
		}
	})
	return ahead, nil
}
