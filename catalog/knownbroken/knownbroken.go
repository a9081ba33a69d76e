// Package knownbroken is the collection of published errors. Each lock is written as it was
// printed, or as a program has it. It comes with its claims, its failure, and the length of
// a short execution that shows the failure.
//
// Package brokencheck and "shmbench check -known-broken" check each lock against its
// specification. No known-broken lock is in the catalog, and the instruments that run locks do
// not take one. The only way to build one is New of its specification, which comes with its
// verdict. Mutants (package mutants) were broken on purpose. Known-broken locks were
// published.
package knownbroken

import (
	"fmt"
	"slices"

	"shmbench/shm"
)

// Lock is the specification of a known-broken lock. Its Source is the publication, and its
// Claims are those of the publication, as far as a specification can express them.
type Lock struct {
	shm.Algorithm
	// Read is what was read to write the lock: the edition and its page, or the
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
	// Steps is the length of the shortest execution that shows it. If the execution
	// ends in a cycle, its length is up to the end of the first round of the cycle.
	Steps int `json:"steps"`
	// Fix says in a line how to fix the lock.
	Fix string `json:"fix"`
	// Fixed is the lock of the catalog that has been fixed so. In the case of a
	// lock that is right on stronger memory, Fixed is the lock itself; it is empty
	// if there is none.
	Fixed string `json:"fixed,omitempty"`
}

// Memory is the memory model on which a known-broken lock fails.
type Memory string

// The memory models. A lock that fails on the first one fails on all.
const (
	// Consistent is sequentially consistent, as sync/atomic is.
	Consistent Memory = "sequentially consistent"
	// Released is total store order, where stores have no fence if the
	// lock makes them with release order.
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
	panics     = "panic freedom" // nor does a process run forever without an access
	deadlock   = "deadlock freedom"
	stuck      = "exit progress"
	starvation = "starvation freedom"
	order      = "first-come-first-served order"
	bypass     = "bounded bypass"
)

// invariant is a lock's own invariant as a property.
func invariant(name string) string { return fmt.Sprintf("the invariant %q", name) }

// All returns every known-broken lock, in the order of publication.
func All() []Lock {
	return slices.Clone([]Lock{
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
		mcsFair,
		lycklamaBuhrSafe,
		styer,
		mcsTry,
		mcsK42,
		drepperMutex1,
		attiyaWelchSafe,
		composite,
		ksuhShore,
		hclhBook,
		szymanskiSVCOMP,
		dekkerSVCOMP,
		hticketBatch,
		mcsTPLitl,
		goMutex,
		muslFile,
		shflSteal,
		lamportSVCOMP,
		dekkerCopied,
		attiyaWelchTwice,
		threeBitZ,
		eisenbergExit,
		burns2,
		elevatorUnfenced,
		szymanskiBitsRegular,
		petersonFischerTree,
		andersonKimShadow,
	})
}

// made completes a specification with New, which calls lock for each n that the specification
// allows.
func made(e Lock, lock func(n int) shm.Mutex) Lock {
	e.Algorithm = e.Built(e.Layout, e.Stores, func(b shm.Build) shm.Mutex { return lock(b.N) })
	return e
}

// like returns the specification of a lock of the catalog under another name, for its failure
// on memory that it is not made for. The new entry has claims of its own.
func like(spec shm.Algorithm, name, title string) shm.Algorithm {
	spec.Name, spec.Title, spec.VariantOf = name, title, ""
	spec.Claims.Weakest = shm.Weakest{}
	spec.Invariants = nil
	return spec
}
