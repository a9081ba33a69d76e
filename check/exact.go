package check

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
)

// The moduli of counters: the first one is large enough for a ticket lock of few processes, and sets
// of remainders by the last one are words.
const firstModulo, lastModulo = 16, 32

// exactStates is the largest number of states of a lock with counters that is explored.
const exactStates = 1 << 22

// limited reports whether passages were limited although no one asked for it, and the lock lost
// nothing then that more passages may not give back.
func (c *checking) limited(d *verdicts) bool {
	return c.o.Passages == 0 && c.o.sequential() && d.x.Exhausted() && len(d.x.Learned.Unbounded) > 0 && len(d.safety.traces) == 0
}

// exact decides a lock for any number of passages although some registers grow, if they only count.
// Such a lock does the same when the same number is added to all its counters, so their differences
// are enough. It returns nil and the reason if the lock does something else with them. If of is not
// nil, it has such verdicts on the algorithm that the lock is a variant of.
func (c *checking) exact(ctx context.Context, d, of *verdicts) (all *verdicts, why string, err error) {
	grows := maps.Clone(d.x.Learned.Unbounded)
	last := uint64(lastModulo)
	if c.b.Lock.Mixed {
		last = firstModulo // a call that keeps a count while others overtake it makes any modulus too small
	}
	for modulo := uint64(firstModulo); modulo <= last; modulo *= 2 {
		b := c.counting(modulo, grows)
		if of != nil {
			like, err := model.Like(ctx, b.Build, of.x.Learned, b.Options(0, c.search))
			switch {
			case err != nil:
				return nil, "", err
			case like != nil:
				return of.of(c.b.Lock, like), "", nil
			}
		}
		x, open, err := c.whole(ctx, b)
		if x == nil || err != nil {
			return nil, open, err
		}
		far, ok := x.Exact()
		if ok {
			return exactly(decide(ctx, x, c.o.costStates()))
		}
		why = fmt.Sprintf("the values of %s and those that processes keep of it get far apart", x.Names.Cell(far))
	}
	return nil, why, nil
}

// counting returns a builder of the lock in which the registers that grow, and others of their
// names, count modulo a number.
func (c *checking) counting(modulo uint64, grows map[string]types.BasicKind) *source.Builder {
	return c.b.Counting(modulo, func(name string) bool {
		for cell := range grows {
			if explored.KindName(cell) == explored.KindName(name) {
				return true
			}
		}
		return false
	})
}

// exactly returns verdicts on a lock with counters, unless a lemma of the lock sees more of the counters
// than how far apart they are.
func exactly(d *verdicts, err error) (*verdicts, string, error) {
	if err != nil {
		return nil, "", err
	}
	for _, inv := range d.invariants.all {
		if !inv.Verdict.Holds() {
			return nil, inv.property() + " is not about the differences of counters alone", nil
		}
	}
	return d, "", nil
}

// whole explores all states of a lock with counters. It returns nil and the reason if a register does
// more than count.
func (c *checking) whole(ctx context.Context, b *source.Builder) (x *explored.Lock, why string, err error) {
	search := c.search
	search.Symmetries, search.Steps, search.Checkpoint = nil, explore.AllSteps, nil
	if search.MaxStates == 0 || search.MaxStates > exactStates {
		search.MaxStates = exactStates
	}
	learned, err := model.Learn(ctx, b.Build, c.n, b.Options(0, search))
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		return nil, err.Error(), nil
	case learned.Passages > 0:
		return nil, "", nil // other registers grow, or local states
	}
	if x, err = explored.AsWritten(ctx, c.b.Lock, learned, search); err != nil {
		return nil, "", err
	}
	x = x.Complete()
	if fault, ok := errors.AsType[*interp.Fault](x.Stopped); ok {
		file, line := c.b.Lock.Prog.Place(fault.Pos)
		return nil, fmt.Sprintf("%s (%s:%d)", fault.Msg, file, line), nil
	}
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case !x.Exhausted():
		return nil, fmt.Sprintf("with the differences of the counters there are more than %d states", search.MaxStates), nil
	case x.Memory.Terms().BufferedStores > 0:
		return nil, "store buffers were full", nil
	}
	return x, "", nil
}
