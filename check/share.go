package check

import (
	"context"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// share returns the verdicts on the algorithm that a lock is a variant of, if both have the
// same automata, as they do if only the layout differs. Otherwise it returns nil.
func (run *runner) share(ctx context.Context, b *source.Builder, n int, search explore.Options) (*verdicts, error) {
	l, from := b.Lock, run.defaults[variant{n, b.Lock.Mixed}].verdicts
	if from == nil || from.x.Space == nil || l.Spec == nil || l.Spec.VariantOf != from.x.Source.Name ||
		l.Doorway(shm.Exclusive) != from.x.Source.Doorway(shm.Exclusive) || l.Doorway(shm.Shared) != from.x.Source.Doorway(shm.Shared) {
		return nil, nil
	}
	// What a panic says may depend on the layout: here no process comes to one.
	if _, panics := from.x.Graph.Bad[explore.Panic]; panics {
		return nil, nil
	}
	like, err := model.Like(ctx, b.Build, from.x.Learned, b.Options(0, search))
	if like == nil {
		return nil, err
	}
	return from.of(l, like), nil
}
