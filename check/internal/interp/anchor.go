package interp

import "slices"

// A class of counts is anchored if a lock compares its counts with small constants, or sets them to
// such constants, as the bakery does with 0. The numbers below the modulus are then kept as they
// are, and only larger ones as remainders. So a small constant stands for itself, and what a lock
// does with a number and such a constant is exact. Where a number goes past the modulus, it gets
// another lap. A common number may be added to the counts of the second lap, and to no others.

// Lap says how a count stands for a number of an anchored class.
type Lap uint8

// The laps.
const (
	FirstLap Lap = 1 + iota // the number is N
	LaterLap                // the number is not less than M, and N is its remainder
)

// further returns the count of an anchored class with a number added that is less than M.
func (c Count) further(by uint64) Count {
	if c.N += by; c.N >= c.M {
		c.N, c.Lap = c.N-c.M, LaterLap
	}
	return c
}

// from returns a number that is less than, equal to or greater than 0 as the count of an anchored
// class is less than, equal to or greater than a constant.
func (c Count) from(n Num) int {
	switch {
	case n >= infinite:
		return -1
	case c.Lap == LaterLap:
		return 1
	}
	return int(c.N) - int(n)
}

// infinite is so large that nothing counts to it. Larger constants stay constants.
const infinite = 1 << 62

// Small reports whether the count of an anchored class is a small number. Small numbers may be far from
// the others of the class. A small number that may get large with the next step rises.
func (c Count) Small(moves int64) (small, rises bool) {
	small = c.Lap == FirstLap && c.N < c.M/2
	return small, small && c.N+uint64(moves) >= c.M/2
}

// grow reports whether registers of a class must hold counts.
func (c *counting) grow(class Ptr) bool {
	return slices.ContainsFunc(c.grows, func(p Ptr) bool { return c.of(p) == class })
}

// anchored reports whether the class of a register is anchored.
func (c *counting) anchored(p Ptr) bool {
	for at := range c.anchors {
		if c.of(at) == c.of(p) {
			return true
		}
	}
	return false
}

// constant is the least number that is no small constant. Steps that add no more keep a count that
// comes from a constant small.
func (c *counting) constant() uint64 { return c.modulo / 4 }

// ahead reports whether a number may be added to a count of an anchored class.
func (c *counting) ahead(by int64) bool { return by >= 0 && by <= int64(c.constant()) }

// anchor returns a number as a register of an anchored class holds it.
func (c *counting) anchor(p Ptr, n Num) Value {
	if uint64(n) >= c.constant() {
		return n
	}
	return Count{Of: c.of(p), N: uint64(n), M: c.modulo, Lap: FirstLap}
}

// anchor makes counts of the constants of an access.
func (a *Access) anchor(c *counting) {
	for _, v := range []*Value{&a.Arg, &a.Old} {
		if n, ok := (*v).(Num); ok {
			*v = c.anchor(a.At, n)
		}
	}
}

// anchors reports whether the class of a register may meet a constant. The class is anchored from now
// on.
func (r *run) anchors(p Ptr, n Num) bool {
	c := r.m.counts
	t := r.m.lay.cellType(r.memory(p).typ, p.Off)
	if !r.endless(t) || !c.grow(c.of(p)) || uint64(n) >= c.constant() && (n < infinite || r.m.bits(t) < 0) {
		return false
	}
	if !c.anchored(p) {
		r.m.uses.relearn(func() { c.anchors[p] = true })
	}
	return true
}
