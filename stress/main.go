package stress

import (
	"context"

	"shmbench/internal/build/foreign"
	"shmbench/internal/build/twin/perturb"
	"shmbench/internal/run/isolate"
)

// Service is that of a program that stresses one lock, whose question is a Trial.
const Service = "stress"

// Trial is a question to a program that stresses one lock.
type Trial struct {
	Lock     string
	Topology string // where the processes are of locks for several nodes, as -topology has it
	Options  Options
}

// Main is the main function of the program that "shmbench stress ./PACKAGE" builds. It
// stress-tests a lock and answers with the report. The lock is a specification or the
// function that builds it, a func(n int) T or func(n int) (T, error).
func Main(lock any) {
	ctx := context.Background()
	foreign.TellName(ctx, lock)
	isolate.Child(ctx, Service, func(ctx context.Context, t Trial) (*Report, error) {
		a, err := foreign.Spec(lock, t.Lock)
		if err != nil {
			return nil, err
		}
		return Test(ctx, a, t.Options)
	})
}

// Disturb passes a little time, now and then: what the locks of a perturbed
// program do before each access.
func Disturb() { perturb.Disturb() }
