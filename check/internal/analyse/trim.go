package analyse

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

const (
	// batch is how many states have their successors computed together.
	batch = 64
	// componentBytes is the most that the search for components takes for a state.
	componentBytes = 64
)

// DeadlockWithoutEdges is Deadlock where no edges were kept: it computes the successors of states anew, and takes two bits and a
// section of each process for a state. It returns false if it had no room, in bytes, or no time.
//
// A fair cycle without an entry is in the part of the graph where a process tries and no step is an entry. All processes
// are in lasting local states there. States of that part that lead only to themselves and to states without such a cycle
// are removed, in passes over all states, the last ones first. The components of those that are left decide.
func (s *Space) DeadlockWithoutEdges(ctx context.Context, room int64) (l *Lasso, decided bool) {
	if room -= int64(s.G.States) * int64(s.stride+1); room < 0 {
		return nil, false
	}
	p := s.trimming(ctx, s.G.Sys)
	p.lasts = func(id uint32, a int, to uint32) bool { return to != id && p.has(to) && !p.enters(id, a, to) }
	p.stays = func(id uint32, row []uint32) bool {
		return p.moves(id, row, func(to uint32) bool { return to == id }) == p.everyParty()
	}
	left := p.passes()
	if least := p.nearestStill(); least != explore.None {
		l = &Lasso{states: []uint32{least}, least: least}
	}
	if room -= int64(left) * componentBytes; room < 0 {
		return nil, false
	}
	l = nearer(l, p.components())
	if ctx.Err() != nil {
		return nil, false
	}
	if l != nil {
		l.sub, l.want = s.withoutEntry(), s.awaited
	}
	return l, true
}

// awaited reports whether a process is in its entry section that must eventually enter.
func (s *Space) awaited(id uint32) bool { return s.waiting(id) != 0 }

// withoutEntry is the graph without the steps that are entries.
func (s *Space) withoutEntry() Part {
	return Part{Anywhere, func(from uint32, a int, to uint32) bool { return !s.enters(from, a, to) }}
}

// trimming is what is left of the part of the graph where a process tries.
type trimming struct {
	*Space
	ctx        context.Context
	left       set
	successors []*explore.Regenerator // by worker
	// still is, by worker, the least state in which a fair execution can stay.
	still []uint32
	known bool // still is
	// lasts reports whether an execution without an entry may stay in what is left after a step.
	lasts func(from uint32, actor int, to uint32) bool
	// stays reports whether a fair execution can stay in a state.
	stays func(id uint32, row []uint32) bool
}

// trimming returns what removes states by the steps of a system. It still needs lasts and stays.
func (s *Space) trimming(ctx context.Context, steps explore.System) *trimming {
	p := &trimming{Space: s, ctx: ctx, left: newSet(s.G.States)}
	for range s.workers {
		p.successors = append(p.successors, s.G.Regenerator(steps))
		p.still = append(p.still, explore.None)
	}
	return p
}

// nearestStill is the least state in which a fair execution can stay, or None.
func (p *trimming) nearestStill() uint32 { return slices.Min(p.still) }

// passes removes states until that hardly helps, and returns how many are left.
func (p *trimming) passes() (left int) {
	left = p.start()
	for dropped := left; left > 0 && dropped*worthwhile >= left; left -= dropped {
		dropped = p.pass()
	}
	return left
}

// has reports whether a state is left. Other workers may take it away meanwhile.
func (p *trimming) has(id uint32) bool { return atomic.LoadUint64(&p.left[id/64])>>(id%64)&1 != 0 }

// start makes all states left in which a process tries and all processes can last, and returns how many there are.
func (p *trimming) start() (left int) {
	for id := range uint32(p.G.States) {
		if p.awaited(id) && p.Space.lasts(id) {
			p.left.add(id)
			left++
		}
	}
	return left
}

// pass removes states, and returns how many.
func (p *trimming) pass() int {
	var dropped atomic.Int64
	p.descend(func(worker int, lo, hi, _ uint32) {
		ids := make([]uint32, 0, batch)
		for id := hi; id > lo; {
			for ids = ids[:0]; id > lo && len(ids) < batch; {
				if id--; p.has(id) {
					ids = append(ids, id)
				}
			}
			if p.ctx.Err() != nil {
				return
			}
			dropped.Add(p.trim(worker, ids))
		}
	})
	p.known = true
	return int(dropped.Load())
}

// trim removes some states, one after another, and returns how many.
func (p *trimming) trim(worker int, ids []uint32) (dropped int64) {
	rows := p.successors[worker].Rows(ids)
	actors := len(rows) / max(len(ids), 1)
	for k, id := range ids {
		row := rows[k*actors:][:actors]
		if !p.known && id < p.still[worker] && p.stays(id, row) {
			p.still[worker] = id
		}
		lasts := false
		for a, to := range row {
			lasts = lasts || to != explore.None && p.lasts(id, a, to)
		}
		if !lasts {
			atomic.AndUint64(&p.left[id/64], ^(1 << (id % 64)))
			dropped++
		}
	}
	return dropped
}

// everyParty is the set of all parties.
func (s *Space) everyParty() uint64 { return ^uint64(0) >> (64 - s.Parties) }

// members returns the states that are left; they ascend.
func (p *trimming) members() (ids []uint32) {
	for i, w := range p.left {
		for ; w != 0; w &= w - 1 {
			ids = append(ids, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
	return ids
}

// moves returns the parties that may stay as they are in a state, or have a step from it to a state that member holds
// for. row is the successors of the state.
func (s *Space) moves(id uint32, row []uint32, member func(uint32) bool) (moves uint64) {
	steps := uint64(0)
	for a, to := range row {
		if to == explore.None {
			continue
		}
		steps |= 1 << s.party(a)
		if member(to) {
			moves |= 1 << s.party(a)
		}
	}
	if s.movable != nil {
		steps = s.movable(s.G.State(id))
	}
	may := s.everyParty()&^steps | uint64(s.in(interp.Remainder, id))
	if s.beyond != nil {
		for pid := range s.N {
			if may>>pid&1 != 0 && s.beyond(s.G.State(id), pid) {
				may &^= 1 << pid
			}
		}
	}
	return moves | may
}

// components returns the nearest fair component of several states that are left.
func (p *trimming) components() (best *Lasso) {
	g := p.withoutEntry()
	g.In = func(uint32) bool { return p.ctx.Err() == nil }
	p.Space.components(p.members(), g, func(comp []uint32, member func(uint32) bool) {
		if len(comp) > 1 && p.fair(comp, member) {
			best = nearer(best, &Lasso{states: slices.Clone(comp), least: slices.Min(comp)})
		}
	})
	return best
}

// fair reports whether a fair execution can stay in a component.
func (p *trimming) fair(comp []uint32, member func(uint32) bool) bool {
	moves := uint64(0)
	for ids := range slices.Chunk(comp, batch) {
		rows := p.successors[0].Rows(ids)
		actors := len(rows) / len(ids)
		for k, id := range ids {
			if moves |= p.moves(id, rows[k*actors:][:actors], member); moves == p.everyParty() {
				return true
			}
		}
	}
	return false
}
