package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"shmbench/bench"
	"shmbench/shm"
)

// traits are what can be asked about a lock by its specification, which may be in a file
// of results: a bench.Specification, as far as it is asked about.
type traits struct {
	Name     string
	Class    shm.Class
	MinProcs int `json:"min_procs"`
	MaxProcs int `json:"max_procs"`
	Claims   struct {
		DeadlockFree   bool          `json:"deadlock_free"`
		StarvationFree bool          `json:"starvation_free"`
		FCFS           bool          `json:"fcfs"`
		LocalSpin      shm.LocalSpin `json:"local_spin"`
		Weakest        shm.Weakest
	}
	Reconstructed bool
	Modes         []shm.Mode
	Space         []struct {
		SingleWriter bool `json:"single_writer"`
	}
	BoundedBypass shm.Ranges `json:"bounded_bypass"`
	BoundedSpace  shm.Ranges `json:"bounded_space"`
}

// traitsOf returns the traits of algorithms.
func traitsOf(all []shm.Algorithm) []traits {
	of := make([]traits, len(all))
	for i, a := range all {
		text, err := json.Marshal(bench.Specify(a))
		if err == nil {
			of[i], err = parseTraits(text)
		}
		if err != nil {
			panic(err) // of a specification of this program's own
		}
	}
	return of
}

// parseTraits reads a specification.
func parseTraits(text []byte) (t traits, err error) {
	if err = json.Unmarshal(text, &t); err == nil && t.Name == "" {
		err = fmt.Errorf("it names no lock")
	}
	return t, err
}

// singleWriter reports whether each register of a space that is known has one writer.
func (t traits) singleWriter() bool {
	return len(t.Space) > 0 && !slices.ContainsFunc(t.Space, func(r struct {
		SingleWriter bool `json:"single_writer"`
	}) bool {
		return !r.SingleWriter
	})
}
