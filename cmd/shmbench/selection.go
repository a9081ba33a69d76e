package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/shm"
)

// A selection is what -alg and -variants name: locks of the catalog.
type selection struct {
	alg      string
	variants bool
}

// declare declares both flags. byDefault says what is selected without -alg.
func (s *selection) declare(fs *flag.FlagSet, byDefault string) {
	s.declareAlg(fs, byDefault)
	fs.BoolVar(&s.variants, "variants", false, "with the name of a lock or a family: its variants of layout and stores too")
}

// declareAlg declares -alg alone.
func (s *selection) declareAlg(fs *flag.FlagSet, byDefault string) {
	fs.StringVar(&s.alg, "alg", "", "only these `locks`: a lock such as queue/mcs, a family such as queue, or a regular expression; . selects every name ("+byDefault+")")
}

// given reports whether locks were named.
func (s selection) given() bool { return s.alg != "" }

// locks returns the locks of the catalog in its order: all if none were named.
func (s selection) locks() ([]shm.Algorithm, error) { return selected(s, locks()) }

// locksOrShort is locks, but the short list if none were named.
func (s selection) locksOrShort() (all []shm.Algorithm, err error) {
	if s.given() || s.variants {
		return s.locks()
	}
	for _, a := range catalog.Short() {
		all = append(all, a.Algorithm)
	}
	return all, nil
}

// allowProcs returns an error if numbers of processes were given and no lock allows any of them.
func allowProcs(procs cli.IntList, algorithms []shm.Algorithm) error {
	for _, a := range algorithms {
		if len(procs) == 0 || slices.ContainsFunc(procs, func(n int) bool { return n >= a.MinProcs && n <= a.MaxProcs }) {
			return nil
		}
	}
	return fmt.Errorf("-procs %s: %w", procs, shm.CheckProcs(algorithms[0].Name, procs[0], algorithms[0].MinProcs, algorithms[0].MaxProcs))
}

// selected returns those of a list that a selection names, in order.
func selected[T any](s selection, from cli.Named[T]) ([]T, error) {
	var found []T
	family := strings.TrimSuffix(s.alg, "/")
	for _, x := range from.All {
		name, of := from.Name(x), from.VariantOf(x)
		if name == s.alg || of == "" && bench.Family(name) == family || s.variants && of != "" && (of == s.alg || bench.Family(name) == family) {
			found = append(found, x)
		}
	}
	switch {
	case found != nil:
		return found, nil
	case s.variants:
		return nil, errors.New("-variants needs the name of a lock or a family, not a regular expression")
	}
	return from.Match(s.alg)
}
