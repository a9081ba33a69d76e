package bench

import (
	"cmp"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/shm"
)

// Specification is all that is known about a lock without its code: what "shmbench list
// -json" prints, and what a file of results says about a lock that is in no catalog.
type Specification struct {
	shm.Algorithm
	Family string `json:"family"`
	// Modes are those of a passage.
	Modes []shm.Mode `json:"modes"`
	// Kinds has KindDelegation and KindRecoverable for locks that are so.
	Kinds []string `json:"kinds,omitempty"`
	// Accesses are those of an uncontended passage of one process; nil if they have not
	// been counted.
	Accesses *Accesses `json:"accesses,omitempty"`
	// BoundedBypass has the numbers of processes for which Claims.Bypass is bounded, and
	// BoundedSpace those for which all registers of a known Space are. They are there in
	// files only: a program can ask the formulas of the catalog.
	BoundedBypass shm.Ranges `json:"bounded_bypass,omitempty"`
	BoundedSpace  shm.Ranges `json:"bounded_space,omitempty"`
}

// Specify returns the specification of an algorithm, without BoundedBypass and
// BoundedSpace.
func Specify(a shm.Algorithm) Specification {
	s := Specification{Algorithm: a, Family: Family(a.Name), Modes: a.Modes(), Kinds: Kinds(a)}
	if n, ok := AccessesOf(a); ok {
		s.Accesses = &n
	}
	return s
}

// Kinds of locks that have more than modes of a passage.
const (
	KindDelegation  = "delegation"  // made of a shm.Delegate: Run measures it by Execute
	KindRecoverable = "recoverable" // a shm.Recoverable
)

// Kinds names the kinds of an algorithm's lock.
func Kinds(a shm.Algorithm) (kinds []string) {
	if a.Delegates() {
		kinds = append(kinds, KindDelegation)
	}
	if a.Recovers() {
		kinds = append(kinds, KindRecoverable)
	}
	return kinds
}

// SpecifyForFile returns the specification of an algorithm for a file. It asks the
// formulas about every number of processes, which may take a second.
func SpecifyForFile(a shm.Algorithm) Specification {
	s := Specify(a)
	s.BoundedBypass = shm.Where(a, func(n int) bool { return a.Claims.Bypass.Of(n) != shm.Unbounded })
	s.BoundedSpace = shm.Where(a, func(n int) bool { return len(a.Space) > 0 && a.Space.Bounded(n) })
	return s
}

// Family returns the family of an algorithm, which its name begins with.
func Family(name string) string {
	family, _, _ := strings.Cut(name, "/")
	return family
}

// SpecificationKey begins the key of the provenance that has the specification of a
// lock, in JSON; the lock's name follows.
const SpecificationKey = "lock/"

// Nameable reports whether a lock can have a name in a file of results: ParseName
// reads the name back, and the file's other readers find no break in it.
func Nameable(name string) bool {
	w := Workload{Procs: 1}
	read, _, ok := ParseName(benchfmt.Name(w.Name(name)))
	return ok && read == name && !strings.ContainsAny(name, " \t\r\n:=\"")
}

// Again ends the second name of a lock that is measured under two.
const Again = "-again"

// MeasuredAgain returns an algorithm under its second name.
func MeasuredAgain(a shm.Algorithm) shm.Algorithm {
	a.VariantOf = cmp.Or(a.VariantOf, a.Name) // it does what that one does
	a.Name += Again
	return a
}
