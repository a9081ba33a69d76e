package analyse

import (
	"slices"

	"shmbench/check/graph"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// order is an order of the part of the graph in which a process is not in its
// remainder section: the components of that part come after those that they lead
// to. No cycle in it crosses from one section of the process to another. First
// come the states that are done, in the order of descend. The others follow in
// later, with the components of more than one state among them.
type order struct {
	later []uint32
	comps []component
}

// component is a strongly connected component of several states.
type component struct {
	from, to int // in later
	section  interp.Section
	least    uint32
	fair     bool // a fair execution can stay in it
	enters   bool // some process enters its critical section in it
}

// worthwhile is the part of the states that are left, as a divisor, that going
// through them once more must take away to be repeated.
const worthwhile = 8

// order orders the part of the graph in which a process is busy.
func (s *Space) order(pid int) *order {
	o := &order{}
	done := s.look().done
	var left []uint32
	for id := uint32(s.G.States); id > 0; {
		if id--; !done[id].has(pid) {
			left = append(left, id)
		}
	}
	if left == nil {
		return o
	}
	also := newSet(s.G.States)
	for before := 2 * len(left); len(left) < before && len(left) <= before-before/worthwhile; {
		before = len(left)
		left = slices.DeleteFunc(left, func(id uint32) bool {
			for _, to := range s.G.Successors(id) {
				if to != explore.None && to != id && !done[to].has(pid) && !also.has(to) {
					return false
				}
			}
			also.add(id)
			o.later = append(o.later, id)
			return true
		})
	}
	slices.Reverse(left)
	busy := Part{In: func(id uint32) bool { return s.Section(id, pid) != interp.Remainder }}
	s.components(left, Part{}, func(comp []uint32, member func(uint32) bool) {
		if len(comp) > 1 {
			o.comps = append(o.comps, s.component(comp, member, len(o.later), pid, busy))
		}
		o.later = append(o.later, comp...)
	})
	return o
}

// component looks at a strongly connected component of a part that will
// begin at a place of later.
func (s *Space) component(comp []uint32, member func(uint32) bool, from, pid int, g Part) component {
	c := component{from: from, to: from + len(comp), section: s.Section(comp[0], pid), least: slices.Min(comp), fair: s.fair(g, comp, member)}
	for _, id := range comp {
		for a, to := range s.G.Successors(id) {
			c.enters = c.enters || to != explore.None && member(to) && s.enters(id, a, to)
		}
	}
	return c
}

// components calls visit with each strongly connected component of a part
// that has some of the given states, which ascend, every component after those
// that it leads to; other states have no cycles in common with these. All of the
// given states are in the part if its In is nil.
func (s *Space) components(states []uint32, g Part, visit func(comp []uint32, member func(uint32) bool)) {
	s.componentsBy(states, func(id uint32, ends []uint32) []uint32 {
		for a, to := range s.G.Successors(id) {
			if to != id && to != explore.None && (g.In == nil || g.In(to)) && (g.Keep == nil || g.Keep(id, a, to)) {
				ends = append(ends, to)
			}
		}
		return ends
	}, visit)
}

// componentsBy is components with what next appends as the states that one leads to. Some of these may be explore.None.
func (s *Space) componentsBy(states []uint32, next func(id uint32, ends []uint32) []uint32, visit func(comp []uint32, member func(uint32) bool)) {
	if len(states) == 0 {
		return
	}
	number := func(id uint32) (uint32, bool) {
		i, found := slices.BinarySearch(states, id)
		return uint32(i), found
	}
	if len(states) > s.G.States/64/4 {
		among := newSet(s.G.States)
		for _, id := range states {
			among.add(id)
		}
		ranks := among.ranks()
		number = func(id uint32) (uint32, bool) { return among.rank(ranks, id), among.has(id) }
	}
	var comp, some []uint32
	graph.Graph{Nodes: len(states), Edges: func(from uint32, ends []uint32) []uint32 {
		some = next(states[from], some[:0])
		for _, to := range some {
			if to == explore.None {
				continue
			}
			if i, found := number(to); found {
				ends = append(ends, i)
			}
		}
		return ends
	}}.Components(func(nodes []uint32, member func(uint32) bool) {
		comp = comp[:0]
		for _, i := range nodes {
			comp = append(comp, states[i])
		}
		visit(comp, func(id uint32) bool {
			i, found := number(id)
			return found && member(i)
		})
	})
}

// states returns the states of a component, ascending.
func (o *order) states(c component) []uint32 {
	return slices.Sorted(slices.Values(o.later[c.from:c.to]))
}

// walk calls each for the states that are components by themselves, with those of
// the processes, of a set, in whose part of the graph they are, and group for the
// components of several states in the part of one process, in order. They are
// called by several workers at once: each for states that do not lead to one
// another, or for other processes, as group is.
func (s *Space) walk(procs procset, each func(worker int, id uint32, procs procset), group func(worker, pid int, c component, states []uint32)) {
	done := s.look().done
	s.descend(func(worker int, lo, hi, _ uint32) {
		for id := hi; id > lo; {
			id--
			if some := done[id] & s.busy(id) & procs; some != 0 {
				each(worker, id, some)
			}
		}
	})
	s.share(procs, func(worker, pid int) {
		o := s.orders[pid]()
		comps := o.comps
		for i := 0; i < len(o.later); i++ {
			if len(comps) > 0 && comps[0].from == i {
				group(worker, pid, comps[0], o.states(comps[0]))
				i = comps[0].to - 1
				comps = comps[1:]
				continue
			}
			each(worker, o.later[i], 1<<pid)
		}
	})
}

// firstStill returns the nearest state in which a fair execution can stay for
// ever and that want holds for.
func (s *Space) firstStill(want func(id uint32) bool) *Lasso {
	var best *Lasso
	for _, id := range s.look().still {
		if (best == nil || id < best.least) && want(id) {
			best = &Lasso{states: []uint32{id}, least: id}
		}
	}
	return best
}

// nearer returns the one of two lassos that is nearer to the initial state; nil
// is farthest, and of two equally near the one with more states counts.
func nearer(a, b *Lasso) *Lasso {
	switch {
	case a == nil:
		return b
	case b == nil || a.least < b.least || a.least == b.least && len(a.states) > len(b.states):
		return a
	}
	return b
}
