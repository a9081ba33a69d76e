package check

import (
	"context"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// overflowed has the verdicts on a lock with narrow words.
type overflowed struct {
	model  *model.Lock // nil if it could not be learned
	report *Overflow
}

// overflow checks a lock again with the words that grow without bound taken
// modulo the least power of two above n, which makes them bounded. It returns nil if no word
// grows, and on any memory but that of sync/atomic. It also returns nil for locks with readers:
// the numbers of readers share a word with bits that must not be cut off. If of is
// not nil, it has the verdicts on the algorithm that the lock is a variant of. They hold for the
// lock too if both have the same automata with narrow words.
func overflow(ctx context.Context, b *source.Builder, x *explored.Lock, of *overflowed, o Options) (*overflowed, error) {
	if !x.Exhausted() || len(x.Learned.Unbounded) == 0 || o.Passages > 0 || o.Safety || !o.sequential() || x.Source.Mixed && slices.ContainsFunc(x.Modes(), shm.Mode.Reads) {
		return nil, nil
	}
	width := bits.Len(uint(x.N))
	words := map[types.BasicKind]int{}
	var names []string
	for _, k := range x.Learned.Unbounded {
		if words[k] == 0 {
			words[k] = width
			names = append(names, types.Typ[k].Name())
		}
	}
	slices.Sort(names)
	b = b.Narrow(words)
	opts := b.Options(0, x.Opts)
	if of != nil && of.model != nil {
		if like, err := model.Like(ctx, b.Build, of.model, opts); err == nil && like != nil {
			return of, nil
		}
	}
	learned, err := model.Learn(ctx, b.Build, x.N, opts)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	out := &Overflow{Modulo: 1 << width, Words: strings.Join(names, ", "),
		MutualExclusion: Unknown, DeadlockFreedom: Unknown, StarvationFreedom: Unknown}
	switch {
	case err != nil: // with words so narrow, New itself may fail or count without end
		out.Omitted = err.Error()
		return &overflowed{report: out}, nil
	case learned.Passages > 0:
		out.Omitted = "other words grow without bound then"
		return &overflowed{report: out}, nil
	}
	wide, err := explored.AsWritten(ctx, x.Source, learned, x.Opts)
	if err != nil {
		return nil, err
	}
	narrow := wide.Complete()
	if narrow.Stopped != nil {
		out.Omitted = narrow.Stopped.Error()
	}
	out.States, out.Exhausted = narrow.Graph.States, narrow.Exhausted()
	_, bad := narrow.Graph.Bad[explore.Exclusion]
	out.MutualExclusion = unless(narrow, bad)
	if _, panics := narrow.Graph.Bad[explore.Panic]; panics {
		out.Omitted = "a process panics"
	} else if narrow.Exhausted() {
		space := narrow.SpaceOf(narrow.Graph)
		out.DeadlockFreedom = unless(narrow, space.Deadlock() != nil)
		starves := false
		for pid := range x.N {
			starves = starves || space.Stays(pid, interp.Entry, lockers(x)...) != nil
		}
		out.StarvationFreedom = unless(narrow, starves)
	}
	automata := *learned
	automata.Sys, automata.Graph = nil, nil // its automata are what is compared
	return &overflowed{&automata, out}, ctx.Err()
}
