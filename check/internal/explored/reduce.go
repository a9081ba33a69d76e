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

// FewerSteps returns the lock explored again without the steps that neither a fault of a state nor a deadlock depends on, if a bound ended a
// search without edges before it found a fault, and if a bound ends that one, too, without those that no fault depends on. If there are no
// such steps, it returns the lock as it is.
func (x *Lock) FewerSteps(ctx context.Context) *Lock {
	opts := x.Opts
	if ctx.Err() != nil || !opts.StatesOnly || x.Graph.Exhausted || len(x.Graph.Bad) > 0 || opts.Checkpoint != nil || !x.ofAutomata() {
		return x
	}
	for _, steps := range []explore.Steps{explore.ForDeadlocks, explore.ForFaults} {
		opts.Steps = steps
		sys := reduced(ctx, x.Source, x.Sys, opts)
		if _, persistent := explore.ReductionsOf(sys); !persistent {
			continue
		}
		fewer := *x
		fewer.Opts, fewer.Graph = opts, nil
		x = &fewer // the memory of the search before is free for this one
		if x.Graph = explore.Run(ctx, sys, opts); ctx.Err() != nil || x.Graph.Exhausted || len(x.Graph.Bad) > 0 {
			break
		}
	}
	return x
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

// Unfolded returns the lock with a graph in which the states count that differ by a symmetry. The steps that were left
// out are left out again. The exploration may take so many bytes.
func (x *Lock) Unfolded(ctx context.Context, bytes int64) *Lock {
	opts := x.Opts
	opts.Symmetries, opts.Checkpoint, opts.MaxBytes = nil, nil, max(bytes, 1)
	whole := *x
	whole.Graph = explore.Run(ctx, reduced(ctx, x.Source, x.Sys, opts), opts)
	return &whole
}
