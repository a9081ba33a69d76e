package explore

import "context"

type guardKey struct{}

// WithGuard returns a context for explorations that call guard before a node
// computes something for the first time. These computations and their order are
// always the same. If guard returns true, the exploration does not call the node.
// It takes the node to recurse without end, because no program survives such a
// call.
func WithGuard(ctx context.Context, guard func() (endless bool)) context.Context {
	return context.WithValue(ctx, guardKey{}, guard)
}
