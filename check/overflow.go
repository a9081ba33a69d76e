package check

import (
	"context"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// overflowed is what was found of a lock with narrow words.
type overflowed struct {
	model  *model.Lock // nil if it could not be learned
	report *Overflow
}

// overflow checks a lock again with the words that grow without bound taken
// modulo the least power of two above n, which makes them bounded. It returns
// nil if none grow, where the stores are without their fences, and where there are
// readers: their numbers share a word with bits that must not be cut off. What was found
// of the algorithm that the lock is a variant of is true of it too if the automata
// are the same with narrow words as well.
func overflow(ctx context.Context, b *source.Builder, x *explored, of *overflowed, o Options) (*overflowed, error) {
	if len(x.model.Unbounded) == 0 || o.Passages > 0 || o.TSO || x.lock.Mixed && slices.ContainsFunc(x.modes(), shm.Mode.Reads) {
		return nil, nil
	}
	width := bits.Len(uint(x.n))
	words := map[types.BasicKind]int{}
	var names []string
	for _, k := range x.model.Unbounded {
		if words[k] == 0 {
			words[k] = width
			names = append(names, types.Typ[k].Name())
		}
	}
	slices.Sort(names)
	b = b.Narrow(words)
	opts := b.Options(0, x.opts)
	if of != nil && of.model != nil {
		if like, err := model.Like(ctx, b.Build, of.model, opts); err == nil && like != nil {
			return of, nil
		}
	}
	learned, err := model.Learn(ctx, b.Build, x.n, opts)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	out := &Overflow{Modulo: 1 << width, Words: strings.Join(names, ", "),
		MutualExclusion: Unknown, DeadlockFreedom: Unknown, StarvationFreedom: Unknown}
	switch {
	case err != nil: // with words so narrow, New itself may fail or count in vain
		out.Omitted = err.Error()
		return &overflowed{report: out}, nil
	case learned.Passages > 0:
		out.Omitted = "other words grow without bound then"
		return &overflowed{report: out}, nil
	}
	wide, err := exploreAs(ctx, x.lock, learned, x.opts)
	if err != nil {
		return nil, err
	}
	narrow := wide.complete()
	if narrow.stopped != nil {
		out.Omitted = narrow.stopped.Error()
	}
	out.States, out.Exhausted = narrow.graph.States, narrow.exhausted()
	_, bad := narrow.graph.Bad[explore.Exclusion]
	out.MutualExclusion = narrow.unless(bad)
	if narrow.exhausted() {
		space := narrow.spaceOf(narrow.graph)
		out.DeadlockFreedom = narrow.unless(space.Deadlock() != nil)
		starves := false
		for pid := range x.n {
			starves = starves || space.Stays(pid, interp.Entry, x.lockers()...) != nil
		}
		out.StarvationFreedom = narrow.unless(starves)
	}
	automata := *learned
	automata.Sys, automata.Graph = nil, nil // its automata are what is compared
	return &overflowed{&automata, out}, ctx.Err()
}
