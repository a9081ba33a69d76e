package explored

import (
	"context"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/source"
)

// required says what the reductions of a search must keep: invariants are asked of every state.
func required(l *source.Lock) explore.Required {
	invariants := len(l.Invariants) > 0
	return explore.Required{Members: invariants, All: invariants}
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
	_, opts.Steps = explore.ReductionsOf(x.Graph.Sys)
	whole := *x
	whole.Graph = explore.Search(ctx, x.Sys, opts, required(x.Source), nil)
	return &whole
}
