package explored

import (
	"context"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/source"
)

// reduced returns the system of a lock with the reductions that opts asks for, as far as its invariants allow them.
func reduced(ctx context.Context, l *source.Lock, sys *explore.SC, opts explore.Options) explore.System {
	invariants := len(l.Invariants) > 0
	return explore.Reduce(ctx, sys, opts, explore.Required{Members: invariants, All: invariants})
}

// FewerSteps returns the lock explored again without the steps that no fault of a state depends on, if a bound ended a
// search without edges before it found a fault. If there are no such steps, it returns the lock as it is.
func (x *Lock) FewerSteps(ctx context.Context) *Lock {
	opts := x.Opts
	if ctx.Err() != nil || !opts.StatesOnly || x.Graph.Exhausted || len(x.Graph.Bad) > 0 || opts.Checkpoint != nil || !x.ofAutomata() {
		return x
	}
	opts.Persistent = true
	sys := reduced(ctx, x.Source, x.Sys, opts)
	if _, persistent := explore.ReductionsOf(sys); !persistent {
		return x
	}
	fewer := *x
	x, fewer.Graph = nil, nil // the memory of the first search is free for the second one
	fewer.Graph = explore.Run(ctx, sys, opts)
	return &fewer
}

// ofAutomata reports whether the states are those of the automata, and nothing of a memory beside them.
func (x *Lock) ofAutomata() bool {
	switch x.Graph.Sys.(type) {
	case *explore.SC, *explore.Quotient, *explore.Persistent:
		return true
	}
	return false
}

// Orbit returns an image of the visited states, or, if they are counted up to symmetries, one image
// for each symmetry. Together they are images of all states that can be reached.
func (x *Lock) Orbit(image explore.Image) []explore.Image {
	if q, ok := x.Graph.Sys.(*explore.Quotient); ok {
		return q.Orbit(image)
	}
	return []explore.Image{image}
}

// PathTo returns a shortest schedule to a state, or to what a symmetry, by its number in Orbit, makes of it.
func (x *Lock) PathTo(id uint32, symmetry int) []int {
	if q, ok := x.Graph.Sys.(*explore.Quotient); ok {
		return q.PathTo(x.Graph, id, symmetry)
	}
	return x.Graph.Path(id)
}

// Unfolded returns the lock with a graph in which every state counts, not only those that differ by more than a
// symmetry. The exploration may take so many bytes.
func (x *Lock) Unfolded(ctx context.Context, bytes int64) *Lock {
	opts := x.Opts
	opts.Symmetries, opts.Checkpoint, opts.MaxBytes = nil, nil, max(bytes, 1)
	whole := *x
	whole.Graph = explore.Run(ctx, x.Sys, opts)
	return &whole
}
