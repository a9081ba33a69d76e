package explored

import (
	"context"
	"maps"
	"slices"

	"shmbench/check/internal/explore"
)

// folded visits the states of a system with the reductions that opts asks for. If it finds a fault, it visits the
// states again with all their steps, for a shortest execution.
func folded(ctx context.Context, sys *explore.SC, opts explore.Options, invariants bool) *explore.Graph {
	keep := explore.Folding{Members: invariants, All: invariants}
	graph := explore.Run(ctx, explore.Fold(ctx, sys, opts, keep), opts)
	if _, persistent := explore.Folded(graph.Sys); !persistent || len(graph.Bad) == 0 {
		return graph
	}
	keep.All = true
	whole := explore.Run(ctx, explore.Fold(ctx, sys, opts, keep), opts)
	if !slices.Equal(slices.Sorted(maps.Keys(whole.Bad)), slices.Sorted(maps.Keys(graph.Bad))) {
		return graph // a bound was reached first
	}
	return whole
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
	return x.Path(id)
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
