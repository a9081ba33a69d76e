package analyse

import (
	"context"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// FreeOfDeadlock reports whether states that were counted up to symmetries show that there is no deadlock. It takes
// as much room, in bytes, as DeadlockWithoutEdges. If it returns false, there may be a deadlock or not: a cycle of
// such states may be part of a longer one, in which other processes make the steps.
func (s *Space) FreeOfDeadlock(ctx context.Context, q *explore.Quotient, room int64) bool {
	steps, few := q.Sorted()
	if !few || room < int64(s.G.States)*int64(s.stride+1) {
		return false
	}
	p := s.trimming(ctx, steps)
	actors := q.Actors()
	p.lasts = func(_ uint32, actor int, to uint32) bool { return actor/actors == explore.Changes && p.has(to) }
	p.stays = func(id uint32, row []uint32) bool {
		moving, staying := procset(0), s.in(interp.Remainder, id)
		for a, to := range row {
			switch party := procset(1) << s.party(a%actors); {
			case to == explore.None:
			case a/actors == explore.Stays:
				staying |= party
			default:
				moving |= party
			}
		}
		return moving&^staying == 0
	}
	return p.passes() == 0 && p.nearestStill() == explore.None && ctx.Err() == nil
}
