package foreign

import (
	"context"
	"fmt"

	"shmbench/internal/run/isolate"
	"shmbench/shm"
)

// naming is the service by which a program tells the name of its lock. The question is the
// name of a lock that is only a function.
const naming = "name"

// TellName answers a parent that calls NameIn, and then ends the program. A program with
// one lock, as Spec takes it, calls TellName first.
func TellName(ctx context.Context, lock any) {
	isolate.Child(ctx, naming, func(_ context.Context, name string) (string, error) {
		if a, specified := lock.(shm.Algorithm); specified {
			return a.Name, nil
		}
		return name, nil
	})
}

// NameIn returns the name of the lock in a program, which is that in its specification,
// and otherwise the name given.
func NameIn(ctx context.Context, program, name string) (string, error) {
	name, err := isolate.Ask[string, string](ctx, program, naming, name)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("its program has crashed: %w", err)
	}
	return name, err
}
