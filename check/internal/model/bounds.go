package model

import (
	"context"
	"errors"
	"go/types"
	"math"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Bounds says whether the registers of a lock take finitely many values, and
// which do not, once it is known.
type Bounds struct {
	known, bounded bool
	kinds          map[string]types.BasicKind
	met            map[explore.Bad][]int // for two processes
}

// most is how many values of a register are too many: fewer, if each crash can add one.
func (o Options) most(values int) int {
	if o.endless() {
		return crashValues
	}
	return values
}

// closeSteps is how many transitions are learned in whatever order processes move. There is no
// limit where processes crash: exploring then may meet ever more values.
func (o Options) closeSteps() int {
	if o.Crashes != nil {
		return math.MaxInt
	}
	return closeSteps
}

// endless reports whether processes crash any number of times.
func (o Options) endless() bool { return o.Crashes != nil && o.Crashes.Most == 0 }

// probe bounds a first look.
func (o Options) probe() explore.Options {
	return explore.Options{MaxStates: o.atMost(probeStates), MaxBytes: o.Explore.MaxBytes, Keep: true, Progress: o.Explore.Progress}
}

// values is how many values a register may take while the learner looks for those that occur. It is the number
// above which a register counts as unbounded, if few states are to be explored.
func (o Options) values() int {
	if o.atMost(probeStates) < probeStates {
		return maxValues
	}
	return rawValues
}

// atMost returns a bound on a part of the learning, which is lower where few states are to be explored.
func (o Options) atMost(bound int) int {
	if most := o.Explore.MaxStates; most > 0 && most < bound/perState {
		return min(bound, max(perState*most, fewLooks))
	}
	return bound
}

// raw says what to explore of a lock that is being learned, until a register has too many values.
func (o Options) raw(passages, values int) explore.RawOptions {
	return explore.RawOptions{Passages: passages, MaxValues: o.most(values), Crashes: o.Crashes}
}

// bounded returns what bounded finds, or what is remembered of it.
func (o Options) bounded(ctx context.Context, build Builder, n int) (*Bounds, error) {
	if o.Bounds != nil && o.Bounds.known && n >= 2 {
		return o.Bounds, nil
	}
	b, err := bounded(ctx, build, n, o)
	if err == nil && o.Bounds != nil && n >= 2 {
		*o.Bounds = *b
	}
	return b, err
}

// bounded reports whether the registers of a lock take finitely many values,
// judged by those that it takes for n processes, and if not, which do not.
func bounded(ctx context.Context, build Builder, n int, o Options) (*Bounds, error) {
	m, err := build(ctx, n)
	if err != nil {
		return nil, err
	}
	return interp.Restart(func() (*Bounds, error) {
		l, err := automaton.New(m, firstLocal, o.Memory)
		if err != nil {
			return nil, err
		}
		probe := o.probe()
		raw, g, err := explored(ctx, l, o.raw(0, maxValues), probe)
		var large *automaton.ErrTooLarge
		switch {
		case err != nil && !errors.As(err, &large):
			return nil, err
		case err == nil && (g.Exhausted || probe.MaxStates < probeStates && !raw.Unbounded):
			return &Bounds{known: true, bounded: true}, nil // exploring ends at its bound on states first
		case l.Forget():
			return nil, interp.ErrReclassified
		case large != nil:
			return &Bounds{known: true}, nil
		}
		return &Bounds{known: true, kinds: growing(l, raw, o.most(maxValues)), met: met(g)}, nil
	})
}

// growing returns the registers that have taken many values by the time that
// one of them has taken too many.
func growing(l *automaton.Learner, raw *explore.Raw, most int) map[string]types.BasicKind {
	names := l.M.Names()
	kinds := map[string]types.BasicKind{}
	for r, values := range raw.Seen {
		if at := l.Regs[r].At; len(values) > most/2 && names.Kind(at) != types.Invalid {
			kinds[names.Cell(at)] = names.Kind(at)
		}
	}
	return kinds
}
