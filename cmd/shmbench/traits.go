package main

import (
	"encoding/json"
	"errors"
	"slices"

	"shmbench/bench"
	"shmbench/shm"
)

// traits are what can be asked about a lock by its specification, which may be one of
// the catalog or in a file of results.
type traits struct {
	Name, VariantOf    string
	Class              shm.Class
	MinProcs, MaxProcs int
	DeadlockFree       bool
	StarvationFree     bool
	FCFS               bool
	SingleWriter       bool // of all registers of a space that is known
	Reconstructed      bool
	Simplified         bool // without a part of what was published
	LocalSpin          shm.LocalSpin
	Weakest            shm.Weakest
	// Has reports whether a passage can be in a mode, and the others whether there is a
	// bound for n processes.
	Has                         func(shm.Mode) bool
	BoundedBypass, BoundedSpace func(n int) bool
}

// traitsOf returns the traits of algorithms.
func traitsOf(all []shm.Algorithm) []traits {
	of := make([]traits, len(all))
	for i, a := range all {
		of[i] = newTraits(a, a.Modes(),
			func(n int) bool { return a.Claims.Bypass.Of(n) != shm.Unbounded },
			func(n int) bool { return len(a.Space) > 0 && a.Space.Bounded(n) })
	}
	return of
}

// parseTraits reads the traits of a lock from its bench.Specification in a file.
func parseTraits(text []byte) (traits, error) {
	var s bench.Specification
	if err := json.Unmarshal(text, &s); err != nil {
		return traits{}, err
	}
	if s.Name == "" {
		return traits{}, errors.New("it names no lock")
	}
	return newTraits(s.Algorithm, s.Modes, s.BoundedBypass.Has, s.BoundedSpace.Has), nil
}

func newTraits(a shm.Algorithm, modes []shm.Mode, boundedBypass, boundedSpace func(n int) bool) traits {
	return traits{a.Name, a.VariantOf, a.Class, a.MinProcs, a.MaxProcs, a.Claims.DeadlockFree, a.Claims.StarvationFree, a.Claims.FCFS,
		len(a.Space) > 0 && !slices.ContainsFunc(a.Space, func(r shm.Registers) bool { return !r.SingleWriter }),
		a.Reconstructed, a.Simplified != "", a.Claims.LocalSpin, a.Claims.Weakest,
		func(m shm.Mode) bool { return slices.Contains(modes, m) }, boundedBypass, boundedSpace}
}
