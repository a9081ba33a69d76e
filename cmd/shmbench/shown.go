package main

import (
	"context"
	"maps"
	"slices"
	"sync"

	"shmbench/check"
)

// gathered returns what a check of several things has finished, in the order in which it
// was. An interruption is no error: then it is what was finished by then.
func gathered[T any](ctx context.Context, run func(each func(T)) error) ([]T, error) {
	var mu sync.Mutex
	var finished []T
	err := within(ctx, func() error {
		return run(func(x T) {
			mu.Lock()
			defer mu.Unlock()
			finished = append(finished, x)
		})
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(finished), nil
}

// textsOf are the functions that reports name.
func textsOf(reports []*check.Report) map[string]string {
	texts := map[string]string{}
	for _, r := range reports {
		maps.Copy(texts, r.Texts())
	}
	return texts
}
