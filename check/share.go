package check

import (
	"context"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// share returns what was decided of the algorithm that a lock is a variant of, as
// that of the lock, if it has the same automata, as it has where only the layout
// differs. Otherwise it returns nil.
func (run *runner) share(ctx context.Context, b *builder, n int, search explore.Options) (*decided, error) {
	l, from := b.lock, run.defaults[variant{n, b.lock.mixed}].decided
	if from == nil || from.x.space == nil || l.card == nil || l.card.VariantOf != from.x.lock.name ||
		l.doorway(shm.Exclusive) != from.x.lock.doorway(shm.Exclusive) || l.doorway(shm.Shared) != from.x.lock.doorway(shm.Shared) {
		return nil, nil
	}
	// What a panic says may depend on the layout: here nobody comes to one.
	if _, crashes := from.x.graph.Bad[explore.Crash]; crashes {
		return nil, nil
	}
	like, err := model.Like(ctx, b.build, from.x.model, b.options(0, search))
	if like == nil {
		return nil, err
	}
	return from.of(l, like), nil
}
