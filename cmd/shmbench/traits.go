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
	shm.Algorithm
	modes []shm.Mode
	// Whether there is a bound for n processes.
	boundedBypass, boundedSpace func(n int) bool
}

// traitsOf returns the traits of algorithms.
func traitsOf(all []shm.Algorithm) []traits {
	of := make([]traits, len(all))
	for i, a := range all {
		of[i] = traits{a, a.Modes(),
			func(n int) bool { return a.Claims.Bypass.Of(n) != shm.Unbounded },
			a.BoundedSpace}
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
	return traits{s.Algorithm, s.Modes, s.BoundedBypass.Has, s.BoundedSpace.Has}, nil
}

// has reports whether a passage can be in a mode.
func (t traits) has(m shm.Mode) bool { return slices.Contains(t.modes, m) }

// singleWriter reports whether it is known of all registers that they have one writer each.
func (t traits) singleWriter() bool {
	return len(t.Space) > 0 && !slices.ContainsFunc(t.Space, func(r shm.Registers) bool { return !r.SingleWriter })
}
