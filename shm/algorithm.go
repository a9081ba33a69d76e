package shm

import "fmt"

// Algorithm is the specification of a lock: what it is, where it comes from, what it
// claims and needs, and how to build one. A claim is exact: one weaker than
// the truth is as wrong as one stronger.
type Algorithm struct {
	// Name is unique in a catalog: the package, a slash, the lock's file,
	// and the layout or the stores where they are not the algorithm's default:
	// "bakery/lamport", "bakery/lamport-packed", "bakery/lamport-released".
	Name string `json:"name"`
	// VariantOf is the Name of the specification with the default layout and sequential
	// stores, empty on that specification.
	VariantOf string `json:"variant_of,omitempty"`
	Title     string `json:"title"`
	Source    Source `json:"source"`
	// Reconstructed: the author of this lock has not seen the paper's pseudo-code; the lock is
	// reconstructed from secondary sources, and the check is what speaks for it.
	Reconstructed bool  `json:"reconstructed,omitempty"`
	Class         Class `json:"class"`
	// Simplified says what the published lock has and this one leaves out; empty if
	// nothing is left out.
	Simplified string `json:"simplified,omitempty"`
	// MinProcs and MaxProcs bound n: the lock works for each n between them.
	MinProcs int `json:"min_procs"`
	MaxProcs int `json:"max_procs"`
	// Explored bounds n further for the checker.
	Explored Explored `json:"explored,omitzero"`
	Claims   Claims   `json:"claims"`
	// PublishedRMR is the bound on remote memory references that Source states; zero if it
	// states none.
	PublishedRMR PublishedRMR `json:"published_rmr,omitzero"`
	// Space lists the shared registers; empty where they are out of sight
	// (class Opaque).
	Space  Space  `json:"space"`
	Layout Layout `json:"layout"`
	Stores Stores `json:"stores"`
	// Invariants hold in every state: the lemmas of the proof, for the checker.
	Invariants []Invariant `json:"invariants,omitempty"`
	// New builds the lock for n processes, or returns a *ProcsError if n is
	// not in MinProcs..MaxProcs.
	New func(n int) (Mutex, error) `json:"-"`
}

// Explored says for how many processes the checker explores a lock fully by default,
// where this is fewer than it tries: the states for more are too many. For more
// processes the claims rest on the proof in the source and in the lock's doc comment.
// Zero is no bound.
type Explored struct {
	// Procs bounds n for passages by Lock and Unlock.
	Procs int `json:"procs,omitempty"`
	// Mixed bounds n for passages in all modes.
	Mixed int `json:"mixed,omitempty"`
}

// Source says where an algorithm was published.
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
	if s.Page != "" {
		c += ", p. " + s.Page
	}
	return c
}

// Claims are the properties that a lock is said to have, for every n that its
// specification allows. Mutual exclusion is not listed: every lock claims it. Except Mixed
// they are of passages by Lock and Unlock alone.
type Claims struct {
	// DeadlockFree: if a process is in its entry section, some process later
	// enters its critical section.
	DeadlockFree bool `json:"deadlock_free"`
	// StarvationFree: a process in its entry section later
	// enters its own critical section.
	StarvationFree bool `json:"starvation_free"`
	// Bypass bounds how many critical sections of all other processes
	// together can begin between the end of a process's doorway and its own
	// entry (bounded waiting). Its value is Unbounded for the n at which
	// there is no bound.
	Bypass Formula `json:"bypass"`
	// Place is a later line of the entry section, from which on others can pass a
	// process fewer times, where it takes its place in a second queue, say; empty if
	// there is none. A line of a lock that this one is made of is behind the line
	// that calls it: "3/2". Placed bounds as Bypass does how many critical sections of
	// others can begin behind it.
	Place  string   `json:"place,omitempty"`
	Placed *Formula `json:"placed,omitempty"`
	// FCFS (Lamport): a process that ends its doorway before another begins
	// its own is not overtaken by it.
	FCFS bool `json:"fcfs"`
	// Doorway is the pseudo-code label of the last line of the doorway, the
	// wait-free first part of the entry section; empty if there is none.
	Doorway string `json:"doorway,omitempty"`
	// LocalSpin says where a process that waits makes remote memory references
	// a bounded number of times in a passage.
	LocalSpin LocalSpin `json:"local_spin"`
	// References says how many remote memory references a passage makes at most.
	References References `json:"references,omitzero"`
	// Weakest is what is left of this on registers that are not atomic.
	Weakest Weakest `json:"weakest,omitzero"`
	// Mixed is claimed where passages are made in other modes than Exclusive too;
	// zero if the lock has no other.
	Mixed Mixed `json:"mixed,omitzero"`
}

// Space lists the shared registers of a lock by kind.
type Space []Registers

// Registers is one kind of shared register.
type Registers struct {
	// Name is the paper's name, which is the name of the struct field.
	Name string `json:"name"`
	// Count is how many there are (Unbounded if passages allocate more and more), and
	// Values how many different values each can hold (Unbounded for a ticket that only
	// grows).
	Count  Formula `json:"count"`
	Values Formula `json:"values"`
	// SingleWriter: each is written by one process only.
	SingleWriter bool `json:"single_writer"`
	// Own: the one whose last index is i lies in the memory of process i, where
	// memory is distributed. Without it a register lies with the one process that
	// reads it, or else with the one that writes it, or is remote to all.
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
	return fmt.Sprintf("%s: cannot be built for n = %d processes, only for %d to %d", e.Algorithm, e.N, e.Min, e.Max)
}

// CheckProcs returns a *ProcsError unless min <= n <= max.
func CheckProcs(algorithm string, n, min, max int) error {
	if n < min || n > max {
		return &ProcsError{Algorithm: algorithm, N: n, Min: min, Max: max}
	}
	return nil
}
