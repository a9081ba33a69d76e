package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"shmbench/bench/forks"
	"shmbench/cmd/shmbench/stressed"
	"shmbench/internal/run/isolate"
	"shmbench/shm"
	"shmbench/stress"
)

// child answers the question of a parent, if there is one, and then does not
// return. It returns a context that ends with the parent.
func child(ctx context.Context) context.Context {
	ctx = isolate.Tied(ctx, func() { os.Exit(exitUndecided) })
	forks.Serve(ctx)
	stressed.Serve(ctx)
	return ctx
}

// stressApart stresses one lock in a process of its own, that of a program which serves
// package stressed; "" is this program. A process that crashes, which the Go runtime's
// own checks or the race detector make it do, has a forbidden outcome too.
func stressApart(ctx context.Context, program string, a shm.Algorithm, where topology, o stress.Options) (*stress.Report, error) {
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	// Complete here, a plan can be repeated also when the process crashes.
	if err := o.Complete(a); err != nil {
		return nil, err
	}
	return stressIn(ctx, program, a, where, o)
}

// stressIn stresses a lock whose specification only the program knows.
func stressIn(ctx context.Context, program string, a shm.Algorithm, where topology, o stress.Options) (r *stress.Report, err error) {
	defer func() {
		if r != nil {
			r.Topology = string(where)
		}
	}()
	r, err = isolate.Ask[stress.Trial, *stress.Report](ctx, program, stress.Service, stress.Trial{Lock: a.Name, Topology: string(where), Options: o})
	var crash *isolate.Crash
	switch {
	case !errors.As(err, &crash):
		return r, err
	case strings.Contains(crash.Stderr, "WARNING: DATA RACE"):
		return stress.Crashed(a, o, r, "data race", crash.Stderr), nil
	case strings.Contains(crash.Stderr, "goroutine "):
		return stress.Crashed(a, o, r, "crashed", crash.Error()), nil
	}
	return nil, crash
}
