package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"shmbench/bench"
	"shmbench/bench/forks/robust"
	"shmbench/internal/cli"
	"shmbench/shm"
	"shmbench/shm/region"
)

// The values of -between: the kind of the processes.
const (
	betweenGoroutines = "goroutines"
	betweenProcesses  = "processes"
)

// betweenFlag declares -between.
func betweenFlag(fs *flag.FlagSet, between *string, usage string) {
	fs.StringVar(between, "between", betweenGoroutines, usage)
	cli.OneOf(fs, "between", "the kind of the processes", betweenGoroutines, betweenProcesses)
}

// movableProcs is for how many processes a lock is built to see whether it can be shared.
const movableProcs = 4

// refusal returns why a lock cannot be shared between processes of the operating system, or
// nil. The error says that the platform has no regions.
func refusal(a shm.Algorithm) (*region.Refusal, error) {
	err := region.Movable(a, max(a.MinProcs, min(movableProcs, a.MaxProcs)))
	refused := new(region.Refusal)
	if errors.As(err, &refused) {
		return refused, nil
	}
	return nil, err
}

// shared says whether a lock can be shared between processes of the operating system, or why
// it cannot; it is empty on a platform without regions.
func shared(a shm.Algorithm) string {
	switch refused, err := refusal(a); {
	case err != nil:
		return ""
	case refused != nil:
		return "no, " + refused.Why + ": " + refused.Path
	}
	return "yes"
}

// movable returns the locks that can be shared between processes of the operating system,
// and says which it leaves out.
func movable(stderr io.Writer, algorithms []shm.Algorithm) (can []shm.Algorithm, err error) {
	var not []error
	for _, a := range algorithms {
		refused, err := refusal(a)
		switch {
		case err != nil:
			return nil, err
		case refused != nil:
			not = append(not, fmt.Errorf("%s: %w", a.Name, refused))
		default:
			can = append(can, a)
		}
	}
	if len(can) == 0 {
		return nil, not[0]
	}
	for _, err := range not {
		fmt.Fprintf(stderr, "left out: %v\n", err)
	}
	return can, nil
}

// besideProcesses are the names of locks, each followed by that of the same lock between
// processes, and those of the mutexes that the operating system has for processes.
func besideProcesses(names []string) (all []string) {
	for _, name := range names {
		all = append(all, name, bench.BetweenProcesses(shm.Algorithm{Name: name}).Name)
	}
	for _, a := range robust.Specs() {
		all = append(all, bench.BetweenProcesses(a).Name)
	}
	return all
}
