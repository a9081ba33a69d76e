// Package byhand has the mutants that are not an edit of one lock.
package byhand

import (
	"slices"
	"strings"

	"shmbench/examples/mutex"
	"shmbench/shm"
	"shmbench/tas"
)

// Verdict is what is wrong with a mutant: one of the constants, or what Loses returns.
type Verdict string

const (
	// Safety: two processes can be in their critical sections at once. Whether anything
	// else is wrong then does not matter.
	Safety Verdict = "safety"
	// Deadlock: it is safe, but a process can be in its entry or exit section
	// forever while no process enters its critical section again.
	Deadlock Verdict = "deadlock"
	// Starvation: it is safe and deadlock-free, but a process can stay in its entry
	// section while others enter forever, which the correct lock excludes.
	Starvation Verdict = "starvation"
	// Equivalent: all claims of the correct lock hold.
	Equivalent Verdict = "equivalent"
)

const loses = "loses "

// Loses is the verdict on a mutant that has none of the faults above, but not a claim
// of the correct lock.
func Loses(claim string) Verdict { return Verdict(loses + claim) }

// Claim returns the claim of a verdict that Loses has made, or "".
func (v Verdict) Claim() string {
	claim, _ := strings.CutPrefix(string(v), loses)
	if claim == string(v) {
		return ""
	}
	return claim
}

// Graver reports whether a verdict is graver than another.
func (v Verdict) Graver(than Verdict) bool { return v.gravity() < than.gravity() }

func (v Verdict) gravity() int {
	if v.Claim() != "" {
		v = loses
	}
	return slices.Index([]Verdict{Safety, Deadlock, Starvation, loses, Equivalent}, v)
}

// Mutant is the specification of a broken lock, as in package mutants.
type Mutant struct {
	shm.Algorithm
	Broken  string
	Verdict Verdict
	Procs   int
}

// Specs returns the specifications, with constructors.
func Specs() []shm.Algorithm {
	var all []shm.Algorithm
	for _, m := range All() {
		all = append(all, m.Algorithm)
	}
	return all
}

// All returns every mutant. Two test-and-set locks in place of one are a composition, and
// no edit of either.
func All() []Mutant {
	return []Mutant{
		twoLocks("two-locks-opposite", "two locks for one, and odd processes take them in the opposite order", Deadlock, 2, mutex.TwoLocksOpposite),
		twoLocks("two-locks-in-order", "two locks for one, and all processes take them in one order and leave them in the reverse", Equivalent, 1, mutex.TwoLocksInOrder),
	}
}

func twoLocks(name, broken string, v Verdict, procs int, lock func(n int) shm.Mutex) Mutant {
	a := tas.TAS(shm.Sequential)
	a.Name, a.Title = "mutants/"+name, a.Title+": "+broken
	a.Invariants = nil
	a.Space = shm.Space{{Name: "m", Count: shm.Const(2), Values: shm.Const(2)}}
	return Mutant{a.Built(a.Layout, a.Stores, func(b shm.Build) shm.Mutex { return lock(b.N) }), broken, v, procs}
}
