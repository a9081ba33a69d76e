package analyse

import (
	"slices"

	"shmbench/check/internal/explore"
)

// Trap returns a lasso of the same kind that does not depend on what is drawn: no
// step that is made on its cycle has an outcome that leads out of the component of
// the cycle. It is nil if there is none: then an execution that stays in the cycle
// of any such lasso needs unlucky draws forever. Where nothing is drawn, l itself
// is one.
//
// Such components are the maximal end components of a decision process (de Alfaro,
// Formal Verification of Probabilistic Systems, 1997, section 3.3). In this process
// the scheduler chooses the party and the moment, and the outcome is drawn.
func (s *Space) Trap(l *Lasso) *Lasso {
	chooser, ok := s.G.Sys.(explore.Chooser)
	if !ok || l == nil {
		return l
	}
	group := make([]uint32, s.G.States) // by state: its component, 0 for none
	var in []uint32
	for id := range uint32(s.G.States) {
		if l.sub.In(id) {
			group[id] = 1
			in = append(in, id)
		}
	}
	within := func(from uint32, actor int, to uint32) bool {
		return to != explore.None && group[to] == group[from] && l.sub.Has(from, actor, to)
	}
	// A step stays if all its outcomes are in the component.
	stays := Part{
		In: func(id uint32) bool { return group[id] != 0 },
		Keep: func(from uint32, actor int, to uint32) bool {
			p := s.party(actor)
			return within(from, actor, to) && (!chooser.Draws(s.G.State(from), p) ||
				!s.steps(from, p, func(a int, to uint32) bool { return !within(from, a, to) }))
		},
	}
	groups := 1
	for {
		next := make([]uint32, s.G.States)
		count := 0
		s.components(in, stays, func(comp []uint32, _ func(uint32) bool) {
			count++
			for _, id := range comp {
				next[id] = uint32(count)
			}
		})
		group = next
		if count == groups {
			break
		}
		groups = count
	}
	var best *Lasso
	s.components(in, stays, func(comp []uint32, member func(uint32) bool) {
		wanted := l.want == nil
		for _, id := range comp {
			wanted = wanted || l.want(id)
		}
		if wanted && s.fair(stays, comp, member) {
			best = nearer(best, &Lasso{states: slices.Clone(comp), least: slices.Min(comp), sub: stays, want: l.want})
		}
	})
	return best
}
