package main

import (
	"encoding/json"
	"errors"
	"slices"

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
		of[i] = traits{a.Name, a.VariantOf, a.Class, a.MinProcs, a.MaxProcs, a.Claims.DeadlockFree, a.Claims.StarvationFree, a.Claims.FCFS,
			len(a.Space) > 0 && !slices.ContainsFunc(a.Space, func(r shm.Registers) bool { return !r.SingleWriter }),
			a.Reconstructed, a.Simplified != "", a.Claims.LocalSpin, a.Claims.Weakest,
			func(m shm.Mode) bool { return slices.Contains(a.Modes(), m) },
			func(n int) bool { return a.Claims.Bypass.Of(n) != shm.Unbounded },
			func(n int) bool { return len(a.Space) > 0 && a.Space.Bounded(n) }}
	}
	return of
}

// parseTraits reads a bench.Specification of a file, as far as traits are in it.
func parseTraits(text []byte) (traits, error) {
	type register struct {
		SingleWriter bool `json:"single_writer"`
	}
	var s struct {
		Name      string
		VariantOf string `json:"variant_of"`
		Class     shm.Class
		MinProcs  int `json:"min_procs"`
		MaxProcs  int `json:"max_procs"`
		Claims    struct {
			DeadlockFree   bool `json:"deadlock_free"`
			StarvationFree bool `json:"starvation_free"`
			FCFS           bool
			LocalSpin      shm.LocalSpin `json:"local_spin"`
			Weakest        shm.Weakest
		}
		Reconstructed bool
		Simplified    string
		Modes         []shm.Mode
		Space         []register
		BoundedBypass shm.Ranges `json:"bounded_bypass"`
		BoundedSpace  shm.Ranges `json:"bounded_space"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return traits{}, err
	}
	if s.Name == "" {
		return traits{}, errors.New("it names no lock")
	}
	return traits{s.Name, s.VariantOf, s.Class, s.MinProcs, s.MaxProcs, s.Claims.DeadlockFree, s.Claims.StarvationFree, s.Claims.FCFS,
		len(s.Space) > 0 && !slices.Contains(s.Space, register{}),
		s.Reconstructed, s.Simplified != "", s.Claims.LocalSpin, s.Claims.Weakest,
		func(m shm.Mode) bool { return slices.Contains(s.Modes, m) }, s.BoundedBypass.Has, s.BoundedSpace.Has}, nil
}
