package crashes

import (
	"slices"

	"shmbench/check/graph"
	"shmbench/check/internal/analyse"
	"shmbench/check/internal/interp"
)

// Lasso is an execution that ends in a cycle: the actors that lead to it, and those around
// it, which are none if the execution ends there.
type Lasso struct{ Prefix, Cycle []int }

// found is a component in which an execution can stay, and what its cycle must have.
type found struct {
	part    analyse.Part
	states  []uint32
	least   uint32
	demands []func(id uint32, step int) bool
}

// lasso returns the lasso of the component whose first state is the nearest.
func (s *Space) lasso(best *found) *Lasso {
	if best == nil {
		return nil
	}
	member := analyse.Members(slices.Sorted(slices.Values(best.states)))
	cycle := best.part.Of(s.G).Within(member).Tour(best.least, best.demands)
	return &Lasso{s.G.Path(best.least), cycle}
}

// nearest returns the nearest component of a part that accept holds for.
func (s *Space) nearest(p analyse.Part, accept func(component []uint32, member func(uint32) bool) bool, demands ...func(uint32, int) bool) *Lasso {
	var best *found
	p.Of(s.G).Components(func(component []uint32, member func(uint32) bool) {
		least := slices.Min(component)
		if (best == nil || least < best.least) && accept(component, member) {
			best = &found{p, slices.Clone(component), least, demands}
		}
	})
	return s.lasso(best)
}

// everyone demands a step of each process, unless it is excused.
func (s *Space) everyone() (demands []func(uint32, int) bool) {
	for pid := range s.n {
		demands = append(demands, func(id uint32, step int) bool {
			return step == pid || step == graph.Staying && s.excused(id, pid)
		})
	}
	return demands
}

// Deadlock returns a fair cycle without a crash and without an entry in which a process is
// trying, or nil.
func (s *Space) Deadlock() *Lasso {
	p := analyse.Part{In: analyse.Anywhere, Keep: func(from uint32, actor int, to uint32) bool {
		return actor < s.n && !s.enters(from, actor, to)
	}}
	return s.nearest(p, func(component []uint32, member func(uint32) bool) bool {
		tries := slices.ContainsFunc(component, func(id uint32) bool {
			for pid := range s.n {
				if s.trying(id, pid) {
					return true
				}
			}
			return false
		})
		return tries && s.fair(p, component, member)
	}, s.everyone()...)
}

// Starves returns a fair cycle without a crash in which a process is trying all the time, or
// nil.
func (s *Space) Starves(pid int) *Lasso {
	return s.stays(func(id uint32) bool { return s.trying(id, pid) })
}

// StaysInExit returns a fair cycle without a crash in which a process is in its exit section,
// or nil.
func (s *Space) StaysInExit(pid int) *Lasso {
	return s.stays(func(id uint32) bool { return s.section(id, pid) == interp.Exit })
}

func (s *Space) stays(in func(id uint32) bool) *Lasso {
	p := analyse.Part{In: in, Keep: s.uncrashed}
	return s.nearest(p, func(component []uint32, member func(uint32) bool) bool { return s.fair(p, component, member) }, s.everyone()...)
}

// StarvesAmongCrashes returns a fair cycle in which a process is trying all the time and does
// not crash. Each other process that crashes there also completes a passage there.
// StarvesAmongCrashes returns nil if there is no such cycle.
func (s *Space) StarvesAmongCrashes(pid int) *Lasso {
	var best *found
	s.amongCrashes(pid, func(id uint32) bool { return s.trying(id, pid) }, make([]bool, s.n), &best)
	return s.lasso(best)
}

// amongCrashes looks in a part of the graph without the crashes of the processes that are
// calm. In a component in which a process crashes and completes no passage, that process is
// calm.
func (s *Space) amongCrashes(pid int, in func(id uint32) bool, calm []bool, best **found) {
	p := analyse.Part{In: in, Keep: func(from uint32, actor int, _ uint32) bool {
		if actor < s.n {
			return true
		}
		for q := range s.n {
			if (q == pid || calm[q]) && s.hits(from, actor, q) {
				return false
			}
		}
		return true
	}}
	var further []func()
	p.Of(s.G).Components(func(component []uint32, member func(uint32) bool) {
		least := slices.Min(component)
		if *best != nil && (*best).least <= least || !s.fair(p, component, member) {
			return
		}
		more, demands := slices.Clone(calm), s.everyone()
		for q := range s.n {
			crashes := s.steps(p, component, member, func(from uint32, actor int, _ uint32) bool { return s.hits(from, actor, q) })
			if !crashes {
				continue
			}
			done := func(from uint32, actor int, to uint32) bool { return s.completes(from, actor, to, q) }
			if !s.steps(p, component, member, done) {
				more[q] = true
			}
			demands = append(demands, func(id uint32, step int) bool {
				return step != graph.Staying && s.completes(id, step, s.G.Next(id, step), q)
			})
		}
		if slices.Equal(more, calm) {
			*best = &found{p, slices.Clone(component), least, demands}
			return
		}
		states := slices.Sorted(slices.Values(component))
		further = append(further, func() { s.amongCrashes(pid, analyse.Members(states), more, best) })
	})
	for _, look := range further {
		look()
	}
}
