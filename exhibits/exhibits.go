// Package exhibits is the collection of published locks that are wrong: each as
// it was printed or as a program has it, with what was claimed, what it does
// instead, and how short an execution shows that.
//
// An exhibit is there to be looked at: knownbroken.Exhibits and "shmbench check
// -exhibits" hold each against its card. No exhibit is in the catalogue, the
// instruments that run locks do not take one, and the only way to build one is New
// on its card, beside its verdict. Mutants, package mutants, were broken on
// purpose; exhibits were published.
package exhibits

import (
	"fmt"
	"slices"

	"shmbench/shm"
)

// Exhibit is the card of a published lock that is wrong. Its Source is the
// publication; its Claims are what that claims, as far as a card can say it.
type Exhibit struct {
	shm.Algorithm
	// Read is what was read to write the exhibit: the edition and its page, or the
	// repository, the file and the commit of a program.
	Read string `json:"read"`
	// Claimed is what the publication says of the lock, in a line.
	Claimed string `json:"claimed"`
	// Property is the gravest that the lock lacks, as package check calls it.
	Property string `json:"property"`
	// Verdict says in a sentence what goes wrong.
	Verdict string `json:"verdict"`
	// Procs is the least n at which it goes wrong.
	Procs int `json:"procs"`
	// Memory is the strongest memory on which it goes wrong.
	Memory Memory `json:"memory"`
	// Steps is the length of the shortest execution that shows it, up to the end of
	// the first round of its cycle where it ends in one.
	Steps int `json:"steps"`
	// Mend says in a line what mends it.
	Mend string `json:"mend"`
	// Mended is the lock of the catalogue that has been mended so, or in the case
	// of a lock that is right on stronger memory the lock itself; empty if there is
	// none.
	Mended string `json:"mended,omitempty"`
}

// Memory is what the shared memory of an exhibit does.
type Memory string

// The memories on which exhibits are checked. What fails on the first fails on all.
const (
	// Consistent is sequentially consistent, as sync/atomic is.
	Consistent Memory = "sequentially consistent"
	// Released is total store order, in which those stores have no fence that the
	// exhibit makes with release order.
	Released Memory = "total store order, released stores"
	// Unfenced is total store order, in which no store has a fence.
	Unfenced Memory = "total store order, no fence"
	// Regular and Safe are Lamport's registers; see shm.RegisterModel.
	Regular Memory = "regular registers"
	Safe    Memory = "safe registers"
)

// The properties as package check calls them, the gravest first.
const (
	exclusion  = "mutual exclusion"
	panics     = "panic freedom" // nor does a process run for ever without an access
	deadlock   = "deadlock freedom"
	stuck      = "exit progress"
	starvation = "starvation freedom"
	order      = "first-come-first-served order"
	bypass     = "bounded bypass"
)

// invariant is an invariant of the exhibit's own as a property.
func invariant(name string) string { return fmt.Sprintf("the invariant %q", name) }

// All returns every exhibit, in the order of publication.
func All() []Exhibit {
	return slices.Clone([]Exhibit{
		dekkerRegular,
		hyman,
		hehnerShyamasundarSafe,
		petersonRegular,
		lamportUnfenced,
		szymanskiBits,
		szymanskiFlagRegular,
		szymanskiWait,
		szymanskiWaitAlt,
		arrayOverflow,
		mcsSwap,
		lycklamaBuhrSafe,
		styer,
		mcsTry,
		mcsK42,
		drepperMutex1,
		attiyaWelchSafe,
		szymanskiSVCOMP,
		dekkerSVCOMP,
		hticketBatch,
		eisenbergExit,
		goMutex,
		shflSteal,
		lamportSVCOMP,
		dekkerCopied,
		attiyaWelchTwice,
		threeBitZ,
		elevatorUnfenced,
		szymanskiBitsRegular,
		petersonFischerTree,
		andersonKimShadow,
	})
}

// made completes an exhibit with New, which calls lock for each n that the card
// allows.
func made(e Exhibit, lock func(n int) shm.Mutex) Exhibit {
	name, least, most := e.Name, e.MinProcs, e.MaxProcs
	e.New = func(n int) (shm.Mutex, error) {
		if err := shm.CheckProcs(name, n, least, most); err != nil {
			return nil, err
		}
		return lock(n), nil
	}
	return e
}

// like is the card of a lock of the catalogue under another name, for an exhibit
// that is this lock on memory that it is not made for. What the exhibit claims, it
// says itself.
func like(card shm.Algorithm, name, title string) shm.Algorithm {
	card.Name, card.Title, card.VariantOf = name, title, ""
	card.Claims.Weakest = shm.Weakest{}
	card.Invariants = nil
	return card
}
