package analyse

import "shmbench/check/internal/explore"

// Path returns the actors of a shortest execution from the initial state to
// the state id.
func (s *Space) Path(id uint32) []int {
	path, _ := s.search(0, subgraph{in: func(uint32) bool { return true }}, func(to uint32) bool { return to == id })
	return path
}

// Schedule returns a shortest execution into the lasso's cycle and once around
// it. In the cycle every actor steps that is not excused; it is empty if none
// can.
func (s *Space) Schedule(l *Lasso) (prefix, cycle []int) {
	member := map[uint32]bool{}
	for _, id := range l.comp {
		member[id] = true
	}
	prefix, start := s.search(0, subgraph{in: func(uint32) bool { return true }}, func(id uint32) bool { return member[id] })
	inside := subgraph{
		in:   func(id uint32) bool { return member[id] },
		keep: l.sub.keep,
	}
	at := start
	step := func(want func(id uint32) (actor int, ok bool)) {
		way, to := s.search(at, inside, func(id uint32) bool { _, ok := want(id); return ok })
		cycle = append(cycle, way...)
		a, _ := want(to)
		cycle = append(cycle, a)
		at = s.G.Next(to, a)
	}
	moved := func(a int) bool {
		for _, c := range cycle {
			if c == a {
				return true
			}
		}
		return false
	}
	for a := range s.Actors {
		excused, moves := false, false
		for _, id := range l.comp {
			excused = excused || s.excused(id, a)
			moves = moves || inside.has(id, a, s.G.Next(id, a))
		}
		if excused || !moves || moved(a) {
			continue
		}
		step(func(id uint32) (int, bool) { return a, inside.has(id, a, s.G.Next(id, a)) })
	}
	if len(l.comp) == 1 && len(cycle) == 0 {
		if _, ok := s.anyMove(start, inside, false); !ok {
			return prefix, nil // it ends there: nobody has a step to make
		}
	}
	if len(cycle) == 0 || s.entersIn(l, inside) && !s.entersOn(start, cycle) {
		step(func(id uint32) (int, bool) { return s.anyMove(id, inside, s.entersIn(l, inside)) })
	}
	back, _ := s.search(at, inside, func(id uint32) bool { return id == start })
	return prefix, append(cycle, back...)
}

// anyMove returns an actor that has a move inside, one that begins a critical
// section if entry is set.
func (s *Space) anyMove(id uint32, inside subgraph, entry bool) (int, bool) {
	for a := range s.Actors {
		if to := s.G.Next(id, a); inside.has(id, a, to) && (!entry || s.enters(id, a, to)) {
			return a, true
		}
	}
	return 0, false
}

// entersIn reports whether a critical section begins anywhere in the cycle: a
// schedule that shows one shows who gets in meanwhile.
func (s *Space) entersIn(l *Lasso, inside subgraph) bool {
	for _, id := range l.comp {
		if _, ok := s.anyMove(id, inside, true); ok {
			return true
		}
	}
	return false
}

func (s *Space) entersOn(id uint32, path []int) bool {
	for _, a := range path {
		to := s.G.Next(id, a)
		if s.enters(id, a, to) {
			return true
		}
		id = to
	}
	return false
}

// search returns the actors of a shortest path in a subgraph to a state that
// goal holds for, and that state.
func (s *Space) search(start uint32, g subgraph, goal func(uint32) bool) ([]int, uint32) {
	type step struct {
		from  uint32
		actor int
	}
	came := map[uint32]step{start: {start, -1}}
	queue := []uint32{start}
	for k := 0; k < len(queue); k++ {
		id := queue[k]
		if goal(id) {
			var path []int
			for at := id; came[at].actor >= 0; at = came[at].from {
				path = append(path, came[at].actor)
			}
			reverse(path)
			return path, id
		}
		for a := range s.Actors {
			to := s.G.Next(id, a)
			if to == explore.None || !g.has(id, a, to) {
				continue
			}
			if _, ok := came[to]; !ok {
				came[to] = step{id, a}
				queue = append(queue, to)
			}
		}
	}
	panic("analyse: no path to a state that was reached")
}
