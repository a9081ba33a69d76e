package analyse

import (
	"context"
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// HasDeadlock reports whether there is a deadlock, by states that were counted up to symmetries: whether Deadlock finds one in
// all states. It takes as much room, in bytes, as DeadlockWithoutEdges, and some for each process. It is not decided if it had no room or no
// time. Where a process makes steps that are not known, it may report a deadlock that is none.
//
// A cycle of such states is part of a longer one, in which other processes make the steps. So a process is followed under all
// names that it has on the way: in the threaded graph of Emerson and Sistla ("Utilizing Symmetry when Model Checking under Fairness
// Assumptions", 1997).
func (s *Space) HasDeadlock(ctx context.Context, q *explore.Quotient, room int64) (has, decided bool) {
	steps, few := q.Sorted()
	if room -= int64(s.G.States) * int64(s.stride+1); !few || room < 0 {
		return false, false
	}
	p := s.trimming(ctx, steps)
	p.lasts = func(_ uint32, actor int, to uint32) bool { return actor/steps.Every == explore.Changes && p.has(to) }
	p.stays = func(id uint32, row []uint32) bool {
		moving, staying := procset(0), s.in(interp.Remainder, id)
		for a, to := range row {
			switch party := procset(1) << s.party(a%steps.Every); {
			case to == explore.None:
			case a/steps.Every == explore.Stays:
				staying |= party
			default:
				moving |= party
			}
		}
		return moving&^staying == 0
	}
	left := p.passes()
	if p.nearestStill() != explore.None {
		return true, ctx.Err() == nil
	}
	if room -= int64(left) * int64(componentBytes+threadBytes*s.N); room < 0 {
		return false, false
	}
	has = p.fairUpToNames(steps)
	return has, ctx.Err() == nil
}

// fairUpToNames reports whether a fair execution can stay in a component of the states that are left.
func (p *trimming) fairUpToNames(steps *explore.Sorted) (fair bool) {
	rows := p.successors[0]
	changes := func(id uint32) []uint32 { return rows.Rows([]uint32{id})[:steps.Every] }
	out := make([]uint64, steps.Every*steps.Words())
	p.componentsBy(p.members(), func(id uint32, ends []uint32) []uint32 {
		if fair || p.ctx.Err() != nil {
			return ends
		}
		return append(ends, changes(id)...)
	}, func(comp []uint32, member func(uint32) bool) {
		fair = fair || p.ctx.Err() == nil && p.fairThreads(steps, slices.Sorted(slices.Values(comp)), member, out)
	})
	return fair
}

// fairThreads reports whether every thread of a component, whose states ascend, has a process that makes a step there, or need not make one.
func (p *trimming) fairThreads(steps *explore.Sorted, comp []uint32, member func(uint32) bool, out []uint64) bool {
	t := newThreads(len(comp) * p.N)
	moves := make([]bool, len(comp)*p.N)
	for k, id := range comp {
		row := p.successors[0].Rows([]uint32{id})
		inside := uint64(0)
		for a, to := range row {
			switch kind, from := a/steps.Every, a%steps.Every; {
			case to == explore.None:
			case kind == explore.Stays:
				moves[k*p.N+p.party(from)] = true
			case kind == explore.Changes && member(to):
				inside |= 1 << from
				moves[k*p.N+p.party(from)] = true
			}
		}
		next := func(from int) int { i, _ := slices.BinarySearch(comp, row[from]); return i * p.N }
		enabled := steps.Renamed(p.G.State(id), out, inside, func(from int, by []int32) {
			for pid, as := range by {
				t.join(k*p.N+pid, next(from)+int(as))
			}
		})
		remainder := p.in(interp.Remainder, id)
		for pid := range p.N {
			if remainder.has(pid) || enabled>>pid&1 == 0 {
				moves[k*p.N+pid] = true
			}
		}
	}
	return t.all(moves)
}
