package shm

import (
	"cmp"
	"fmt"
)

// Stores says how a lock makes those of its stores that need no fence.
type Stores uint8

const (
	// Sequential makes them as sync/atomic does, sequentially consistent: on
	// amd64 with the fence that they do not need.
	Sequential Stores = iota
	// Released makes them with release order (package register): on amd64
	// without a fence.
	Released
)

// String returns "sequential" or "released".
func (s Stores) String() string {
	if s == Released {
		return "released"
	}
	return "sequential"
}

// MarshalText encodes the stores as their name.
func (s Stores) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText decodes the stores from their name.
func (s *Stores) UnmarshalText(name []byte) error {
	for _, known := range []Stores{Sequential, Released} {
		if known.String() == string(name) {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("there are no stores %q", name)
}

// released returns the specification of an algorithm's released form, which is named
// after that of the sequential one in the same layout.
func released(spec func(Stores) Algorithm) Algorithm {
	a, plain := spec(Released), spec(Sequential)
	a.VariantOf = cmp.Or(plain.VariantOf, plain.Name)
	a.Invariants = nil // they are of memory, and not of what is on its way there
	a.Name += "-" + Released.String()
	a.Title += ", released stores"
	return a
}

// Forms returns the specifications of an algorithm whose registers lie in one way only:
// with sequential stores, under its plain name, and with released ones.
func Forms(spec func(Stores) Algorithm) []Algorithm {
	return []Algorithm{spec(Sequential), released(spec)}
}
