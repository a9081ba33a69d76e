package shm

import "fmt"

// Invariant is a predicate that holds in every state that a lock can reach,
// such as a lemma of its paper's proof. Only the checker uses it.
type Invariant struct {
	// Name is unique among a lock's invariants: "lemma 1".
	Name string `json:"name"`
	// Source is the publication that states or proves the invariant.
	Source Source `json:"source"`
	// Holds returns nil if the invariant holds in a state, and otherwise an error that says
	// in a line what is wrong. It depends on nothing but the view. Several goroutines may
	// call it at once.
	Holds func(v View) error `json:"-"`
}

// View is a state of a lock, as its invariants see it: the section of each process, and the
// values of the shared registers. Local variables, and fields that only one process uses, are
// not in view.
//
// A register goes by its name in the source without the indices, and these follow in their
// order: number[2] is ("number", 2), node[1].q[0] is ("node.q", 1, 0). A register behind a
// pointer has the pointer's name in the lock as New has left it. Naming a register, a line or
// a process that does not exist ends the check with an error that says so.
type View interface {
	// N returns the number of processes.
	N() int
	// Section is where a process is.
	Section(process int) Section
	// At reports whether the next access of a process is on the line with a
	// pseudo-code label. A process in its remainder section is about to make the
	// first access of Lock, one in its critical section the first of Unlock.
	At(process int, label string) bool
	// Int is the value of a register that holds a number; of a boolean it is 0
	// or 1.
	Int(register string, index ...int) int
	// Bool is the value of a register that holds a boolean, or a bit.
	Bool(register string, index ...int) bool
	// Ref is the name of what a register that holds a pointer leads to, such as
	// "node[2]", or "nil". A field of it is named so: Ref("tail") + ".locked".
	Ref(register string, index ...int) string
}

// Section is where a process is in its cycle. Its entry section consists of
// Doorway and Waiting: the first ends with the last line of the doorway that
// the specification claims, and is empty where it claims none.
type Section uint8

// The sections.
const (
	Remainder Section = iota
	Doorway
	Waiting
	Critical
	Exit
)

// String returns the section's name: "remainder", "doorway", "waiting",
// "critical", "exit".
func (s Section) String() string {
	names := [...]string{"remainder", "doorway", "waiting", "critical", "exit"}
	if int(s) >= len(names) {
		return fmt.Sprintf("section %d", s)
	}
	return names[s]
}

// In returns how many processes are in one of the sections.
func In(v View, sections ...Section) int {
	count := 0
	for i := range v.N() {
		for _, s := range sections {
			if v.Section(i) == s {
				count++
			}
		}
	}
	return count
}
