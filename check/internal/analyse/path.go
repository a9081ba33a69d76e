package analyse

import (
	"slices"

	"shmbench/check/graph"
)

// Idle returns the parties that stand still all through a cycle, though they have
// a step to make.
func (s *Space) Idle(prefix, cycle []int) (idle []int) {
	at := uint32(0)
	for _, a := range prefix {
		at = s.G.Next(at, a)
	}
	states := []uint32{at}
	for _, a := range cycle {
		at = s.G.Next(at, a)
		states = append(states, at)
	}
	for p := range s.Parties {
		if !slices.ContainsFunc(cycle, func(a int) bool { return s.party(a) == p }) &&
			!slices.ContainsFunc(states, func(id uint32) bool { return s.excused(id, p) }) {
			idle = append(idle, p)
		}
	}
	return idle
}

// Schedule returns a shortest execution into the lasso's cycle and one around
// it: empty, if the execution ends there. On the cycle every party that can
// takes a step or is excused somewhere, and a critical section begins if one
// can; but if the cycle is unfair, only its own process need take a step.
func (s *Space) Schedule(l *Lasso) (prefix, cycle []int) {
	member := Members(slices.Sorted(slices.Values(l.states)))
	demands := []func(uint32, int) bool{}
	if l.unfair {
		demands = append(demands, func(_ uint32, step int) bool { return step != graph.Staying && s.party(step) == l.own })
		if l.prefix != nil {
			prefix = l.prefix()
		} else {
			prefix = s.G.Path(l.least)
		}
		return prefix, l.sub.Of(s.G).Within(member).Tour(l.least, demands)
	}
	for p := range s.Parties {
		demands = append(demands, func(id uint32, step int) bool {
			return step != graph.Staying && s.party(step) == p || s.excused(id, p)
		})
	}
	demands = append(demands, func(id uint32, step int) bool {
		return step != graph.Staying && s.enters(id, step, s.G.Next(id, step))
	})
	return s.G.Path(l.least), l.sub.Of(s.G).Within(member).Tour(l.least, demands)
}
