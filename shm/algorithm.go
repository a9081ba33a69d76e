package shm

import (
	"errors"
	"fmt"
)

// Algorithm is the specification of a lock: its title, its source, its claims, its registers,
// and its constructor. A claim is exact: a claim that is weaker than the truth is as wrong as
// a stronger one.
type Algorithm struct {
	// Name is unique in a catalog. It has the package, a slash, the name of the lock's file, and
	// the layout or the stores if they are not the default ones: "bakery/lamport",
	// "bakery/lamport-packed", "bakery/lamport-released".
	Name string `json:"name"`
	// VariantOf is the Name of the specification with the default layout and sequential
	// stores, empty on that specification.
	VariantOf string `json:"variant_of,omitempty"`
	Title     string `json:"title"`
	Source    Source `json:"source"`
	// Reconstructed: the lock is reconstructed from secondary sources, because its author has not
	// seen the paper's pseudo-code. Its evidence is the check.
	Reconstructed bool  `json:"reconstructed,omitempty"`
	Class         Class `json:"class"`
	// Simplified names the parts of the published lock that this one leaves out. It is empty if
	// nothing is left out.
	Simplified string `json:"simplified,omitempty"`
	// MinProcs and MaxProcs bound n: the lock works for each n between them.
	MinProcs int `json:"min_procs"`
	MaxProcs int `json:"max_procs"`
	// Explored bounds n further for the checker.
	Explored Explored `json:"explored,omitzero"`
	Claims   Claims   `json:"claims"`
	// PublishedRMR is the bound on remote memory references that Source states, or why none
	// is known. It is zero outside the catalog.
	PublishedRMR PublishedRMR `json:"published_rmr,omitzero"`
	// Space lists the shared registers. It is empty if they are not visible (class Opaque).
	Space  Space  `json:"space"`
	Layout Layout `json:"layout"`
	Stores Stores `json:"stores"`
	// Invariants hold in every state: the lemmas of the proof, for the checker.
	Invariants []Invariant `json:"invariants,omitempty"`
	// New builds the lock for n processes, or returns a *ProcsError if n is
	// not in MinProcs..MaxProcs.
	New func(n int) (Mutex, error) `json:"-"`
}

// Explored bounds the number of processes with which the checker explores a lock by default.
// It is for locks that have too many states with more processes. For more processes the
// claims rest on the proof in the source and in the lock's doc comment. Zero is no bound.
type Explored struct {
	// Procs bounds n for passages by Lock and Unlock.
	Procs int `json:"procs,omitempty"`
	// Mixed bounds n for passages in all modes.
	Mixed int `json:"mixed,omitempty"`
}

// Source is a publication.
type Source struct {
	Author string `json:"author"`
	Title  string `json:"title"`
	Venue  string `json:"venue"`
	Year   int    `json:"year"`
	// Page is a page or a range of pages, as text; empty if there is none.
	Page string `json:"page,omitempty"`
}

// String formats the source as a citation.
func (s Source) String() string {
	c := fmt.Sprintf("%s, %q, %s", s.Author, s.Title, s.Venue)
	if s.Year != 0 {
		c += fmt.Sprintf(", %d", s.Year)
	}
	return c + s.Pages()
}

// Pages is the end of a citation: ", p. 1-2", or ", article 13" for a page that says what it is.
func (s Source) Pages() string {
	// Package check evaluates this code when it lists locks, and has no model of package strings.
	const named = "article"
	switch {
	case s.Page == "":
		return ""
	case len(s.Page) >= len(named) && s.Page[:len(named)] == named:
		return ", " + s.Page
	}
	return ", p. " + s.Page
}

// Claims are the properties that a specification claims of a lock, for every n that the
// specification allows. Mutual exclusion is not listed, because every lock claims it. All
// claims except Mixed are of passages by Lock and Unlock only.
type Claims struct {
	// DeadlockFree: if a process is in its entry section, some process later
	// enters its critical section.
	DeadlockFree bool `json:"deadlock_free"`
	// StarvationFree: a process in its entry section later
	// enters its own critical section.
	StarvationFree bool `json:"starvation_free"`
	// Bypass is the bound of bounded waiting. It bounds the critical sections of all other
	// processes together that can begin between the end of a process's doorway and its own
	// entry. Its value is Unbounded for each n without a bound.
	Bypass Formula `json:"bypass"`
	// Place is a later line of the entry section, after which others can pass a process fewer
	// times. It may be the line at which the process takes its place in a second queue. It is
	// empty if there is none. A line of an inner lock follows the line that calls it: "3/2".
	// Placed bounds the critical sections of others after that line, as Bypass does after the
	// doorway.
	Place  string   `json:"place,omitempty"`
	Placed *Formula `json:"placed,omitempty"`
	// FCFS (Lamport): if a process ends its doorway before another begins its own, the other does
	// not enter before it.
	FCFS bool `json:"fcfs"`
	// Doorway is the pseudo-code label of the last line of the doorway, the
	// wait-free first part of the entry section; empty if there is none.
	Doorway string `json:"doorway,omitempty"`
	// LocalSpin says in which memory models a waiting process makes a bounded number of remote
	// memory references in a passage.
	LocalSpin LocalSpin `json:"local_spin"`
	// ExitProcs is the largest number of processes with which each exit section ends,
	// whatever the other processes do; 0 if it ends with any number.
	ExitProcs int `json:"exit_procs,omitempty"`
	// References says how many remote memory references a passage makes at most.
	References References `json:"references,omitzero"`
	// Weakest has the claims that hold on registers that are not atomic.
	Weakest Weakest `json:"weakest,omitzero"`
	// Recovery has the claims where processes crash. It is nil if the lock claims none.
	Recovery *Recovery `json:"recovery,omitempty"`
	// Mixed has the claims for passages in other modes than Exclusive too. It is zero if the lock
	// has no other mode.
	Mixed Mixed `json:"mixed,omitzero"`
}

// Space lists the shared registers of a lock by kind.
type Space []Registers

// Registers is one kind of shared register.
type Registers struct {
	// Name is the paper's name of the register, which is also the name of the struct field.
	Name string `json:"name"`
	// Count is the number of registers (Unbounded if passages keep allocating). Values is the
	// number of different values that each can hold (Unbounded for a ticket that only grows).
	Count  Formula `json:"count"`
	Values Formula `json:"values"`
	// SingleWriter: only one process writes each register.
	SingleWriter bool `json:"single_writer"`
	// Own: with distributed memory, the register whose last index is i is in the memory of
	// process i. Without Own, a register is in the memory of the only process that reads
	// it, or else of the only process that writes it. Otherwise it is remote to all.
	Own bool `json:"own,omitempty"`
}

// LocalSpin says in which of the models of memory the remote memory references of
// a passage are bounded, whatever the others do: with coherent caches (CC), and
// with distributed memory (DSM), in which each register is near one process.
type LocalSpin struct {
	CC  bool `json:"cc"`
	DSM bool `json:"dsm"`
}

// Count returns the number of registers for n processes, or Unbounded.
func (s Space) Count(n int) int {
	total := 0
	for _, r := range s {
		count := r.Count.Of(n)
		if count == Unbounded {
			return Unbounded
		}
		total += count
	}
	return total
}

// Bounded reports whether the number of registers is bounded for n processes, and every
// register holds finitely many values.
func (s Space) Bounded(n int) bool {
	for _, r := range s {
		if r.Count.Of(n) == Unbounded || r.Values.Of(n) == Unbounded {
			return false
		}
	}
	return true
}

// A ProcsError says that a lock cannot be built for N processes.
type ProcsError struct {
	Algorithm string
	N         int
	Min, Max  int
}

func (e *ProcsError) Error() string {
	if e.Min == e.Max {
		return fmt.Sprintf("%s: cannot be built for n = %d, only for %d", e.Algorithm, e.N, e.Min)
	}
	return fmt.Sprintf("%s: cannot be built for n = %d, only for %d to %d", e.Algorithm, e.N, e.Min, e.Max)
}

// Validate returns an error if no instrument can use the specification: it has no Name or no
// New, or it allows no number of processes.
func (a Algorithm) Validate() error {
	switch {
	case a.Name == "":
		return errors.New("the specification has no Name")
	case a.New == nil:
		return fmt.Errorf("the specification of %q has no New", a.Name)
	case a.MinProcs < 1 || a.MaxProcs < a.MinProcs:
		return fmt.Errorf("the specification of %q allows %d to %d processes: MinProcs must be at least 1, and MaxProcs at least MinProcs",
			a.Name, a.MinProcs, a.MaxProcs)
	}
	return nil
}

// CheckProcs returns a *ProcsError unless min <= n <= max.
func CheckProcs(algorithm string, n, min, max int) error {
	if n < min || n > max {
		return &ProcsError{Algorithm: algorithm, N: n, Min: min, Max: max}
	}
	return nil
}
