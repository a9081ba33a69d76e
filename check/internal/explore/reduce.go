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

// Steps says which steps of a system are made.
type Steps int

// All of them, or enough of them to show whether there are faults of states and a deadlock, or only whether there are faults. By
// FewerIfBounded, Search tries one after another, until a search is not ended by a bound.
const (
	FewerIfBounded Steps = iota
	AllSteps
	ForDeadlocks
	ForFaults
)

// Search explores a model with the reductions that opts asks for, as far as they keep what must be kept. If tried is not nil, it is what
// a search of all steps has found, with as many symmetries or fewer.
func Search(ctx context.Context, sc *SC, opts Options, keep Required, tried *Graph) *Graph {
	g, before := tried, time.Duration(0)
	for _, steps := range opts.tries() {
		opts.Steps = steps
		sys := Reduce(ctx, sc, opts, keep)
		if g != nil && sameReductions(sys, g.Sys) {
			continue
		}
		if g != nil {
			before, g = before+g.Elapsed, nil // its memory is free for the next one
		}
		g = Run(ctx, sys, opts)
		if g.Elapsed += before; !Bounded(ctx, g, opts) {
			break
		}
	}
	return g
}

// tries returns which steps are made in one search after another.
func (o *Options) tries() []Steps {
	switch {
	case !o.StatesOnly:
		return []Steps{AllSteps}
	case o.Steps == FewerIfBounded:
		return []Steps{AllSteps, ForDeadlocks, ForFaults}
	}
	return []Steps{o.Steps}
}

// Bounded reports whether a bound ended a search before it found anything, and one with more reductions may go further.
func Bounded(ctx context.Context, g *Graph, opts Options) bool {
	return ctx.Err() == nil && opts.StatesOnly && !g.Exhausted && len(g.Bad) == 0 && opts.Checkpoint == nil
}

func sameReductions(a, b System) bool {
	symmetries, made := ReductionsOf(a)
	others, also := ReductionsOf(b)
	return symmetries == others && made == also
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
