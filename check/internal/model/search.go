package model

import (
	"context"
	"errors"
	"math/rand/v2"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// errTooWide says that a register has got too many values.
var errTooWide = errors.New("too many values")

// search finds the values that occur where they are not all known. All that random
// walks of so many steps come upon do occur. It explores the model that is minimal
// for these, up to where a process would leave another value, which occurs then,
// and begins again with that. When no process would leave another value, they are
// all, and the states of their model have been explored.
//
// Where processes share memory that they have allocated, a model says too little
// of what it has not seen for that.
func (lock *Lock) search(ctx context.Context, steps int, o Options) error {
	rnd := rand.New(rand.NewPCG(1974, uint64(lock.Learner.M.N)))
	opts := o.Explore
	opts.Keep = !opts.StatesOnly
	var sys *explore.SC
	var g *explore.Graph
	for {
		if lock.Learner.Shares() {
			if err := lock.visit(ctx, o); err != nil {
				return err
			}
			return lock.minimize(o)
		}
		err := lock.walk(ctx, sys, g, steps, o.values(), rnd)
		switch {
		case errors.Is(err, interp.ErrReclassified):
			return err
		case err == errTooWide && lock.limit(o):
			lock.Seen, sys, g = nil, nil, nil
			continue
		case err == errTooWide && g != nil:
			return lock.stopped(g, lock.tooWide(o.values()))
		case err != nil && g != nil: // otherwise it may be so only deep down
			return lock.stopped(g, err)
		}
		if err := lock.minimize(o); err != nil {
			return err
		}
		if lock.Learner.Shares() {
			continue
		}
		sys = explore.NewSC(lock.Model)
		g = explore.Run(ctx, explore.Reduce(ctx, sys, opts, explore.Required{Members: true, All: true}), opts)
		if _, missing := g.Bad[explore.Missing]; !missing || ctx.Err() != nil {
			lock.Sys, lock.Graph = sys, g
			return nil
		}
		steps = max(steps, g.States/8) // after so much work, some more steps are worth it
	}
}

// walk learns what was missing in the states that were explored last, and on
// random walks of so many steps from there and from the initial state on, until a register has
// more than so many values.
func (lock *Lock) walk(ctx context.Context, sys *explore.SC, g *explore.Graph, steps, values int, rnd *rand.Rand) error {
	for {
		raw := explore.NewRaw(lock.Learner, explore.RawOptions{Passages: lock.Passages, MaxValues: values})
		raw.See(lock.Seen)
		raw.Walk(ctx, lacking(raw, sys, g), steps, rnd)
		lock.Seen = raw.Seen
		switch {
		case raw.Err != nil:
			return raw.Err
		case raw.Unbounded:
			return errTooWide
		case !raw.Grown:
			return nil
		}
	}
}

// lacking returns the states among those that were explored last in which
// something is missing, as raw has them.
func lacking(raw *explore.Raw, sys *explore.SC, g *explore.Graph) (states [][]uint64) {
	if g == nil {
		return nil
	}
	out := make([]uint64, sys.Actors()*sys.Words())
	for id := g.Last(); id < uint32(g.States); id++ {
		if _, bad := sys.Expand(g.State(id), out); bad&explore.Missing != 0 {
			states = append(states, raw.From(sys, g.State(id)))
		}
	}
	return states
}
