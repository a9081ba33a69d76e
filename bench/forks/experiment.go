// Package forks measures locks in programs of their own, one after another. "shmbench
// run -forks" starts itself several times, because a program's place in memory is a part
// of what is measured. "shmbench run -pkg" starts a program that has the user's lock
// beside those of the catalogue.
package forks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/affinity"
	"shmbench/internal/topo"
	"shmbench/shm"
)

// Experiment is what a program measures: a bench.Suite with the names of its locks.
type Experiment struct {
	Algorithms []string
	// Own is the name of the user's lock, if it has no specification that names it.
	Own string
	// Topology says where the processes of locks for several nodes are, as -topology
	// does; "" is where the catalogue has them.
	Topology string
	Procs    []int
	Workload bench.Workload
	Count    int
	Duration time.Duration
	Pin      bench.Pinning
	Wait     string // the waiting policy
}

// Of returns the experiment of a suite.
func Of(s bench.Suite) Experiment {
	x := Experiment{Procs: s.Procs, Workload: s.Workload, Count: s.Count, Duration: s.Options.Duration, Pin: s.Options.Pin}
	for _, a := range s.Algorithms {
		x.Algorithms = append(x.Algorithms, a.Name)
	}
	return x
}

// suite returns the suite, with locks of the catalogue and one of the user's, if there
// is one.
func (x Experiment) suite(own ...shm.Algorithm) (bench.Suite, error) {
	all, err := Placed(x.Topology, x.Pin)
	if err != nil {
		return bench.Suite{}, err
	}
	all = append(all, own...)
	s := bench.Suite{Procs: x.Procs, Workload: x.Workload, Count: x.Count, Options: bench.Options{Duration: x.Duration, Pin: x.Pin}}
	for _, name := range x.Algorithms {
		plain, again := strings.CutSuffix(name, bench.Again)
		i := slices.IndexFunc(all, func(a shm.Algorithm) bool { return a.Name == plain })
		if i < 0 {
			return s, fmt.Errorf("there is no lock %s", plain)
		}
		a := all[i]
		if again {
			a = bench.MeasuredAgain(a)
		}
		s.Algorithms = append(s.Algorithms, a)
	}
	return s, nil
}

// Placed returns the locks of the catalogue with their processes where a topology says
// that they are, as they fill the processors that they are pinned to.
func Placed(topology string, pin bench.Pinning) ([]shm.Algorithm, error) {
	if topology == "" {
		return catalog.All(), nil
	}
	order := affinity.ByCore
	if pin == bench.PinThreads {
		order = affinity.ByThread
	}
	where, err := topo.Places(topology, order)
	if err != nil {
		return nil, err
	}
	return catalog.On(where), nil
}
