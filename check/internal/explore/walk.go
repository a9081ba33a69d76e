package explore

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

	"shmbench/check/internal/automaton"
)

const (
	// A walk has at most 1<<(lengthBits-1) steps.
	lengthBits = 13
	// On the average a process makes at most 1<<(rowBits-1) steps in a row.
	rowBits = 6
	// Half of the walks begin in one of so many states that were found last.
	newest = 64
	// New values make the walks longer, by this factor at most.
	longest = 16
)

// Walk makes every step that can be made from some states, and then random walks, until so
// many steps in all lead to no new value. A walk begins in one of these states, in the initial one,
// or in one that led to a new value. It ends when no process can make a step, or after some steps.
// How many they are, and how many a process makes in a row, is drawn for each walk: some values occur
// only when processes alternate, others only when they rarely do. Walk ends when ctx is done.
func (r *Raw) Walk(ctx context.Context, from [][]uint64, steps int, rnd *rand.Rand) {
	out := make([]uint64, r.Actors()*r.words)
	for _, s := range from {
		if _, bad := r.Expand(s, out); bad&Stop != 0 {
			return
		}
	}
	initial := make([]uint64, r.words)
	r.Initial(initial)
	from = append(from, initial)
	s := make([]uint64, r.words)
	pid, row, left := 0, 0, 0
	known := r.values
	for idle, all := 0, 0; idle < steps && all < longest*steps; idle, all = idle+1, all+1 {
		if left == 0 {
			if ctx.Err() != nil {
				return
			}
			copy(s, from[start(len(from), rnd)])
			row, left = 1<<rnd.IntN(rowBits), 1<<rnd.IntN(lengthBits)
		}
		enabled, bad := r.Expand(s, out)
		if bad&Stop != 0 {
			return
		}
		if r.values > known {
			known, idle = r.values, 0
			from = append(from, slices.Clone(s))
		}
		if left--; enabled == 0 {
			left = 0
			continue
		}
		if enabled>>pid&1 == 0 || rnd.IntN(row) == 0 {
			pid = draw(enabled, rnd)
		}
		copy(s, out[pid*r.words:][:r.words])
	}
}

// start draws the number of one of count states: half of the time of any, and else of one of the newest.
func start(count int, rnd *rand.Rand) int {
	if rnd.IntN(2) == 0 {
		return rnd.IntN(count)
	}
	return count - 1 - rnd.IntN(min(count, newest))
}

// draw returns a member of a set.
func draw(set uint64, rnd *rand.Rand) int {
	for range rnd.IntN(bits.OnesCount64(set)) {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}

// From returns the state that state s of a minimal model stands for, with any of
// the local states that were merged.
func (r *Raw) From(sc *SC, s []uint64) []uint64 {
	to := make([]uint64, r.words)
	for pid, p := range sc.Model.Procs {
		l := sc.Procs[pid].Of(s)
		member := int32(0) // of a process that has made all its passages it makes no difference
		if len(p.Members[l]) > 0 {
			member = p.Members[l][0]
		}
		r.locals[pid].set(to, member)
		r.made[pid].set(to, p.Local[l].Passages)
	}
	for reg, f := range sc.Regs {
		r.regs[reg].set(to, sc.Model.Regs[reg].Numbers[f.Of(s)])
	}
	return to
}

// See notes that the values occur that do in what was explored of a model.
func (r *Raw) See(seen automaton.Seen) {
	for reg := range seen {
		for v := range seen.Occurring(int32(reg)) {
			r.see(int32(reg), v)
		}
	}
}
