// Package forks runs experiments in this program or in several programs, one after another.
// "shmbench run -forks" starts itself several times, because the place of a program in
// memory affects the result. "shmbench run ./PACKAGE" starts a program that has the user's lock
// beside the locks of the catalog.
package forks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"shmbench/bench"
	"shmbench/bench/forks/robust"
	"shmbench/catalog"
	"shmbench/internal/machine/topo"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// Experiment is a bench.Suite with the names of its locks, and with how its samples are
// taken. The flags of the command make an Experiment, and each program that measures
// gets it.
type Experiment struct {
	Algorithms []string
	// Own is the name of the user's lock, if there is one.
	Own string
	// Topology says where the processes of locks for several nodes are, as -topology
	// does. If it is "", the processes are where the catalog puts them.
	Topology string
	Procs    []int
	Workload bench.Workload
	Sweep    bench.Sweep
	Count    int
	Forks    int // number of programs that take the samples one after another; 1 means this program
	Duration time.Duration
	Pin      bench.Pinning
	Wait     string // the waiting policy
}

// Suite returns the suite of the experiment, or an error if it cannot be run. Own is the
// user's lock, if there is one.
func (x Experiment) Suite(own ...shm.Algorithm) (bench.Suite, error) {
	s := bench.Suite{Procs: x.Procs, Workload: x.Workload, Count: x.Count, Options: bench.Options{Duration: x.Duration, Pin: x.Pin}}
	if _, err := spin.ParsePolicy(x.Wait); err != nil {
		return s, err
	}
	all, err := Placed(x.Topology, x.Pin)
	if err != nil {
		return s, err
	}
	all = append(append(all, own...), robust.Specs()...)
	for _, name := range x.Algorithms {
		plain, again := strings.CutSuffix(name, bench.Again)
		plain, apart := bench.Between(plain)
		i := slices.IndexFunc(all, func(a shm.Algorithm) bool { return a.Name == plain })
		if i < 0 {
			return s, fmt.Errorf("there is no lock %s", plain)
		}
		a := all[i]
		if apart {
			a = bench.BetweenProcesses(a)
		}
		if again {
			a = bench.MeasuredAgain(a)
		}
		s.Algorithms = append(s.Algorithms, a)
	}
	return s, s.Validate()
}

// Run takes the samples of the suite s of the experiment. If program is empty, this
// program takes them. Otherwise program takes them, in as many runs as there are
// forks.
func (x Experiment) Run(ctx context.Context, s bench.Suite, program Program, l bench.Listener) error {
	if program == "" {
		return s.Sweep(ctx, x.Sweep, func(ctx context.Context, step bench.Suite, l bench.Listener) error { return step.Run(ctx, l) }, l)
	}
	return s.Sweep(ctx, x.Sweep, func(ctx context.Context, step bench.Suite, l bench.Listener) error {
		l.Start(step)
		return x.at(step).divided(ctx, step, program, l)
	}, l)
}

// at returns the experiment with one suite of a sweep.
func (x Experiment) at(s bench.Suite) Experiment {
	x.Sweep, x.Procs, x.Workload, x.Algorithms = bench.NoSweep, s.Procs, s.Workload, nil
	for _, a := range s.Algorithms {
		x.Algorithms = append(x.Algorithms, a.Name)
	}
	return x
}

// divided divides the rounds among the runs of the program.
func (x Experiment) divided(ctx context.Context, s bench.Suite, program Program, l bench.Listener) error {
	cases, _ := s.Cases()
	if x.Forks <= 1 {
		return program.Measure(ctx, x, cases, 0, 0, l)
	}
	begun := 0
	for i := range x.Forks {
		x.Count = (i+1)*s.Count/x.Forks - i*s.Count/x.Forks
		if err := program.Measure(ctx, x, cases, i+1, begun, l); err != nil {
			return err
		}
		begun += x.Count
	}
	return nil
}

// Placed returns the locks of the catalog with their processes at the places of a topology.
// The processes fill the processors in the order in which they are pinned. It returns an
// error if the topology cannot be read.
func Placed(topology string, pin bench.Pinning) ([]shm.Algorithm, error) {
	if topology == "" {
		return catalog.All(), nil
	}
	where, err := topo.Places(topology, pin.Order())
	if err != nil {
		return nil, err
	}
	return catalog.On(where), nil
}
