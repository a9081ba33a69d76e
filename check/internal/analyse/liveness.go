package analyse

import (
	"slices"

	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Deadlock returns a fair cycle without an entry while some process is in its
// entry section, although it must eventually enter, or nil.
func (s *Space) Deadlock() *Lasso {
	all := s.withoutEntry()
	best := s.firstStill(s.awaited)
	// No process changes to another section and back without an entry. So a cycle
	// without an entry is in the part of the graph where a process that tries is busy.
	consider := func(states []uint32, least uint32) {
		best = nearer(best, &Lasso{states: states, least: least})
	}
	s.share(s.all(), func(_, pid int) { s.orders[pid]() })
	for pid := range s.N {
		o := s.orders[pid]()
		for _, c := range o.comps {
			switch {
			case c.section != interp.Entry || !obliged(s.passage(c.least, pid)) || best != nil && best.least < c.least:
			case !c.enters && c.fair:
				consider(o.states(c), c.least)
			case c.enters:
				s.components(o.states(c), all, func(comp []uint32, member func(uint32) bool) {
					if len(comp) > 1 && s.fair(all, comp, member) {
						consider(append([]uint32(nil), comp...), slices.Min(comp))
					}
				})
			}
		}
	}
	if best != nil {
		best.sub, best.want = all, s.awaited
	}
	return best
}

// Stays returns a fair cycle in which process pid stays in a section that is
// not its remainder section, or nil. The passage is in one of the
// given modes, or in any if none are given.
func (s *Space) Stays(pid int, section interp.Section, modes ...shm.Mode) *Lasso {
	within := Part{In: func(id uint32) bool {
		return s.Section(id, pid) == section && (modes == nil || slices.Contains(modes, s.passage(id, pid).Mode))
	}}
	best := s.firstStill(within.In)
	o := s.orders[pid]()
	for _, c := range o.comps {
		if c.section == section && c.fair && within.In(c.least) {
			best = nearer(best, &Lasso{states: o.states(c), least: c.least})
		}
	}
	if best != nil {
		best.sub = within
	}
	return best
}
