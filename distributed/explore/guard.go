package explore

import "context"

type guardKey struct{}

// WithGuard makes explorations under the context call guard before they let a
// node compute something for the first time. Which computations these are, in
// which order, is always the same. If guard returns true the node is not asked:
// it is taken to recurse without end, which no program survives that asks.
func WithGuard(ctx context.Context, guard func() (endless bool)) context.Context {
	return context.WithValue(ctx, guardKey{}, guard)
}
