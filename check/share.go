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
func (run *runner) share(ctx context.Context, s *subject, n int, eo explore.Options) (*decided, error) {
	from := run.defaults[variant{n, s.mixed}]
	if from == nil || from.x.space == nil || s.card == nil || s.card.VariantOf != from.x.name ||
		s.doorway(shm.Exclusive) != from.x.doorway(shm.Exclusive) || s.doorway(shm.Shared) != from.x.doorway(shm.Shared) {
		return nil, nil
	}
	// What a panic says may depend on the layout: here nobody comes to one.
	if _, crashes := from.x.graph.Bad[explore.Crash]; crashes {
		return nil, nil
	}
	lock, err := model.Like(ctx, s.build, from.x.lock, model.Options{Explore: eo, Memory: s.mem, Marks: s.marks})
	if lock == nil {
		return nil, err
	}
	return from.of(s, lock), nil
}
