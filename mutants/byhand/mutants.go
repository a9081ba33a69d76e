// Package byhand has the mutants that are not an edit of one lock.
package byhand

import "shmbench/shm"

// Verdict is what is wrong with a mutant.
type Verdict uint8

const (
	// Safety: two processes can be in their critical sections at once. What
	// else is wrong then does not matter.
	Safety Verdict = iota
	// Deadlock: it is safe, but a process can be in its entry or exit section
	// for ever while no process enters its critical section again.
	Deadlock
	// Starvation: it is safe and free from deadlock, but a process can stay
	// in its entry section while others enter for ever, which the correct
	// lock excludes.
	Starvation
	// Equivalent: all claims of the correct lock hold.
	Equivalent
)

var verdictNames = [...]string{Safety: "safety", Deadlock: "deadlock", Starvation: "starvation", Equivalent: "equivalent"}

// String returns the verdict in one lower-case word.
func (v Verdict) String() string { return verdictNames[v] }

// MarshalText encodes the verdict as its name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Mutant is the specification of a broken lock, as in package mutants.
type Mutant struct {
	shm.Algorithm
	Broken  string
	Verdict Verdict
	Procs   int
}

// Cards returns the specifications, with constructors.
func Cards() []shm.Algorithm {
	var all []shm.Algorithm
	for _, m := range All() {
		all = append(all, m.Algorithm)
	}
	return all
}

// All returns every mutant.
func All() []Mutant { return twoLocks }

// mutate returns the card of a mutant of the correct lock: its card with
// another name, title and New, and without its invariants.
func mutate(correct shm.Algorithm, name, broken string, v Verdict, procs int, lock func(n int) shm.Mutex) Mutant {
	a := correct
	a.Name = "mutants/" + name
	a.VariantOf = ""
	a.Title = correct.Title + ": " + broken
	a.Layout = shm.Packed
	a.Invariants = nil
	a.New = func(n int) (shm.Mutex, error) {
		if err := shm.CheckProcs(a.Name, n, a.MinProcs, a.MaxProcs); err != nil {
			return nil, err
		}
		return lock(n), nil
	}
	return Mutant{Algorithm: a, Broken: broken, Verdict: v, Procs: procs}
}

// with returns the mutant with other registers.
func (m Mutant) with(s shm.Space) Mutant {
	m.Space = s
	return m
}
