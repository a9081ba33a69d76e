package foreign

import (
	"context"
	"fmt"
	"os"

	"shmbench/internal/isolate"
	"shmbench/shm"
)

// asked is the environment variable by which a program is asked for the name of its
// lock. It has the name of a lock that is only a function.
const asked = "SHMBENCH_LOCK"

// TellName answers a parent that calls NameIn, and then ends the program. A program with
// one lock, as Card takes it, calls TellName first.
func TellName(lock any) {
	name, ok := os.LookupEnv(asked)
	if !ok {
		return
	}
	if a, specified := lock.(shm.Algorithm); specified {
		name = a.Name
	}
	fmt.Print(name)
	os.Exit(0)
}

// NameIn returns the name of the lock in a program, which is that in its specification,
// and otherwise the name given.
func NameIn(ctx context.Context, program, name string) (string, error) {
	cmd, err := isolate.Command(ctx, program)
	if err != nil {
		return "", err
	}
	cmd.Env = append(cmd.Env, asked+"="+name)
	out, err := cmd.Output()
	if err = isolate.Ended(ctx, err); ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("its program has crashed: %w", err)
	}
	return string(out), nil
}
