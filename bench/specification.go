package bench

import (
	"cmp"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/shm"
)

// Specification is everything that is known about a lock, except its code. "shmbench
// list -json" prints it. A file of results has it for each lock that is in no catalog.
type Specification struct {
	shm.Algorithm
	Family string `json:"family"`
	// Modes are the modes of a passage.
	Modes []shm.Mode `json:"modes"`
	// Kinds has KindDelegation for a delegation lock, and KindRecoverable for a recoverable
	// lock.
	Kinds []string `json:"kinds,omitempty"`
	// Accesses are those of an uncontended passage of one process. They are nil if they
	// have not been counted.
	Accesses *Accesses `json:"accesses,omitempty"`
	// Bounded reports whether Algorithm.BoundedSpace holds everywhere.
	Bounded bool `json:"bounded"`
	// BoundedBypass has the numbers of processes for which Claims.Bypass is bounded.
	// BoundedSpace has those for which all registers of a known Space are bounded. Only
	// files have them, because a program can use the formulas of the catalog.
	BoundedBypass shm.Ranges `json:"bounded_bypass,omitempty"`
	BoundedSpace  shm.Ranges `json:"bounded_space,omitempty"`
}

// Specify returns the specification of an algorithm, without BoundedBypass and
// BoundedSpace.
func Specify(a shm.Algorithm) Specification {
	s := Specification{Algorithm: a, Family: Family(a.Name), Modes: a.Modes(), Kinds: Kinds(a), Bounded: a.Everywhere(a.BoundedSpace)}
	if n, ok := AccessesOf(a); ok {
		s.Accesses = &n
	}
	return s
}

// The kinds of locks that have more than modes of a passage.
const (
	KindDelegation  = "delegation"  // made of a shm.Delegate; Run measures it by Execute
	KindRecoverable = "recoverable" // a shm.Recoverable
)

// Kinds returns the names of the kinds of an algorithm's lock.
func Kinds(a shm.Algorithm) (kinds []string) {
	if a.Delegates() {
		kinds = append(kinds, KindDelegation)
	}
	if a.Recovers() {
		kinds = append(kinds, KindRecoverable)
	}
	return kinds
}

// SpecifyForFile returns the specification of an algorithm for a file. It evaluates
// the formulas for every number of processes, which may take a second.
func SpecifyForFile(a shm.Algorithm) Specification {
	s := Specify(a)
	s.BoundedBypass = shm.Where(a, func(n int) bool { return a.Claims.Bypass.Of(n) != shm.Unbounded })
	s.BoundedSpace = shm.Where(a, a.BoundedSpace)
	return s
}

// Family returns the family of an algorithm: the first part of its name.
func Family(name string) string {
	family, _, _ := strings.Cut(name, "/")
	return family
}

// SpecificationKey is the prefix of the provenance key of the specification of a
// lock, in JSON. The lock's name follows the prefix.
const SpecificationKey = "lock/"

// Nameable reports whether a lock can have this name in a file of results.
// ParseName must read the name back, and no other reader of the file may split it.
func Nameable(name string) bool {
	w := Workload{Procs: 1}
	read, _, ok := ParseName(benchfmt.Name(w.Name(name)))
	return ok && read == name && !strings.ContainsAny(name, " \t\r\n:=\"")
}

// Again is the suffix of the second name of a lock that is measured under two names.
const Again = "-again"

// MeasuredAgain returns an algorithm under its second name.
func MeasuredAgain(a shm.Algorithm) shm.Algorithm {
	a.VariantOf = cmp.Or(a.VariantOf, a.Name) // the copy does the same as the original
	a.Name += Again
	return a
}
