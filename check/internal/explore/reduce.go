package explore

import (
	"context"
	"time"

	"shmbench/check/internal/symmetry"
)

// Required says how much of a system must be kept.
type Required struct {
	// Members: it makes a difference which state of an orbit is reached. Then only the symmetries count that leave
	// the initial state as it is, and all states of each orbit that is visited can be reached.
	Members bool
	// All: every orbit must be visited, and not only those that show all kinds of faults.
	All bool
}

// Search explores a model with the reductions that opts asks for, as far as they keep what must be kept.
func Search(ctx context.Context, sc *SC, opts Options, keep Required) *Graph {
	tries := []Steps{opts.Steps}
	switch {
	case !opts.StatesOnly:
		tries = []Steps{AllSteps}
	case opts.Steps == FewerIfBounded:
		tries = []Steps{AllSteps, ForDeadlocks, ForFaults}
	}
	var g *Graph
	before := time.Duration(0)
	for _, steps := range tries {
		opts.Steps = steps
		sys := Reduce(ctx, sc, opts, keep)
		if _, made := ReductionsOf(sys); g != nil {
			if made != steps {
				continue // no steps can be left out
			}
			before += g.Elapsed
			g = nil // its memory is free for the next one
		}
		g = Run(ctx, sys, opts)
		g.Elapsed += before
		if ctx.Err() != nil || g.Exhausted || len(g.Bad) > 0 || opts.Checkpoint != nil {
			break
		}
	}
	return g
}

// Reduce returns the system of a model with the reductions that opts asks for, as far as they keep what must be kept.
func Reduce(ctx context.Context, sc *SC, opts Options, keep Required) System {
	var group []symmetry.Renaming
	if opts.Symmetries != nil {
		group = opts.Symmetries(sc.Model)
	}
	if keep.Members {
		group = symmetry.Fixing(group, sc.Model)
	}
	var steps System = sc
	if opts.Steps > AllSteps && !keep.All {
		steps = NewPersistent(sc, group, opts.Steps)
		if p, ok := steps.(*Persistent); ok && !p.Pays(ctx) {
			steps = sc
		}
	}
	if len(group) < 2 {
		return steps
	}
	return NewQuotient(sc, steps, group)
}

// ReductionsOf returns how a system is reduced: the number of symmetries up to which its states are counted, or 0, and
// which steps are made.
func ReductionsOf(sys System) (symmetries int, made Steps) {
	if q, ok := sys.(*Quotient); ok {
		symmetries, sys = q.Order(), q.steps
	}
	if p, ok := sys.(*Persistent); ok {
		return symmetries, p.made
	}
	return symmetries, AllSteps
}
