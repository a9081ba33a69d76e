// Package mutants is the collection of deliberately broken locks, each with the verdict that
// every instrument must reach. An instrument that accepts a broken mutant is too weak, and one
// that refutes an equivalent mutant is wrong.
//
// A mutant is a shipped lock with an edit: the text files of this folder say which, in the
// form that package internal/build/edit documents. The few that are not an edit of one lock
// are Go code in folder byhand.
package mutants

import (
	"slices"

	"shmbench/catalog/mutants/byhand"
	"shmbench/shm"
)

// Verdict is what is wrong with a mutant.
type Verdict = byhand.Verdict

// The verdicts.
const (
	Safety     = byhand.Safety
	Deadlock   = byhand.Deadlock
	Starvation = byhand.Starvation
	Equivalent = byhand.Equivalent
)

// Loses is the verdict on a mutant that loses one of Claims and nothing graver.
func Loses(claim string) Verdict { return byhand.Loses(claim) }

// Claims are the claims that a mutant can lose while it stays safe, deadlock-free and
// starvation-free, in the words of package check.
var Claims = []string{
	"first-come-first-served order", "bounded bypass", "bounded bypass behind a place", "wait-free doorway",
	"a bound on remote memory references with coherent caches", "a bound on remote memory references with distributed memory",
	"bounded registers", "data race freedom", "panic freedom",
	"readers together", "concurrent readers", "starvation freedom of readers", "bounded bypass of readers", "wait-free doorway of readers",
	"no effect of failed calls", "wait-free TryLock", "strong TryLock", "wait-free abort",
	"critical-section re-entry", "strong starvation freedom", "strong first-come-first-served order", "bounded re-entry", "bounded recovery", "bounded exit",
}

// Mutant is the specification of a broken lock.
type Mutant struct {
	// Algorithm is that of the correct lock under the name of the mutant: its claims are
	// those of the correct lock, and its class and space are the mutant's own. It has no
	// New; Build compiles the mutant, and Program makes its source.
	shm.Algorithm
	// Of is the name of the correct lock, or "" for a mutant that is not an edit of one.
	Of string `json:"of,omitempty"`
	// Edits say what is different in the source of the lock.
	Edits []string `json:"edits,omitempty"`
	// Broken says in a line what is different.
	Broken string `json:"broken"`
	// Verdict is what an instrument must find.
	Verdict Verdict `json:"verdict"`
	// Procs is the least n at which the verdict shows; for an equivalent
	// mutant, the least at which the difference is executed.
	Procs int `json:"procs"`
	// Crashes is which crashes of processes show the verdict, as check.Crashes writes them. The
	// mutant has no fault without crashes, and none under fewer. Empty if there are none.
	Crashes string `json:"crashes,omitempty"`
	// OutOfReach says why no run on hardware can be expected to find the
	// fault; empty if one can.
	OutOfReach string `json:"out_of_reach,omitempty"`

	// OtherSpace: the edit changes the registers, and Space says how.
	OtherSpace bool `json:"-"`

	edited edited
}

// All returns every mutant, family by family.
func All() []Mutant {
	all := slices.Clone(fromText()) // the caller's to change
	for _, m := range byhand.All() {
		m.New = nil
		all = append(all, Mutant{Algorithm: m.Algorithm, Broken: m.Broken, Verdict: m.Verdict, Procs: m.Procs})
	}
	return all
}
