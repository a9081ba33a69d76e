// Package play makes a lock into a document from which a browser steps its processes by
// hand: the automata that package check learns, for each memory that the lock is played on,
// and the source of the lock. Page writes the document as a page of its own. Folder semantics
// has the steps, the memories and the search in JavaScript; folder page has what is seen.
package play

import (
	"encoding/json"
	"slices"

	"shmbench/internal/results/document"
)

// Document is a lock for N processes as a page plays it.
type Document struct {
	Format string `json:"format"`
	Lock   string `json:"lock"`
	Title  string `json:"title,omitempty"`
	N      int    `json:"n"`
	// Edits are those of a changed copy of the lock.
	Edits []string `json:"edits,omitempty"`
	Code  []Code   `json:"code"`
	// Machines are the lock on each memory, the lock as it is written first.
	Machines []*Machine `json:"machines"`
	// Omitted says why the lock is not played on a memory.
	Omitted []Omitted `json:"omitted,omitempty"`
}

// Only leaves the machine of one memory, if the document has it.
func (d *Document) Only(memory string) {
	if i := slices.IndexFunc(d.Machines, func(m *Machine) bool { return m.Memory == memory }); i >= 0 {
		d.Machines, d.Omitted = d.Machines[i:i+1], nil
	}
}

// Code is a function of the source: the file, the number of its first line, and its text.
type Code struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Omitted is a memory on which the lock is not played, and the reason.
type Omitted struct {
	Memory string `json:"memory"`
	Why    string `json:"why"`
}

// The memories.
const (
	Consistent = "sc"       // sequentially consistent
	Released   = "released" // stores with release order go through store buffers
	StoreOrder = "tso"      // all stores do
	Regular    = "regular"
	Safe       = "safe"
)

// Machine is the automata of the processes on one memory.
type Machine struct {
	Memory string `json:"memory"`
	// Capacity is how many stores a store buffer holds.
	Capacity int `json:"capacity,omitempty"`
	// Passages is how many passages each process makes, 0 if there is no limit.
	Passages int `json:"passages,omitempty"`
	// Partial says why the automata are not known to their end; empty if they are.
	Partial string `json:"partial,omitempty"`
	// States is how many states the checker visited, 0 if it did not visit all.
	States int `json:"states,omitempty"`
	// Doorway: it is known which states are past the doorway.
	Doorway   bool       `json:"doorway,omitempty"`
	Registers []Register `json:"registers"`
	Places    []Place    `json:"places"`
	Processes []Process  `json:"processes"`
	Heap      *Heap      `json:"heap,omitempty"`
}

// Register is a shared variable and its values, the initial one first.
type Register struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	// Weak: the register is not atomic. Cut: an execution ends where a value would be
	// stored that is not among Values.
	Weak bool `json:"weak,omitempty"`
	Cut  bool `json:"cut,omitempty"`
}

// Place is an access in the source.
type Place struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Label string `json:"label,omitempty"`
	Op    string `json:"op"`
	Plain bool   `json:"plain,omitempty"`
}

// Process is the automaton of a process.
type Process struct {
	Init   int32   `json:"init"`
	States []State `json:"states"`
}

// The bits of State.Flags.
const (
	PastDoorway = 1 << iota // in the entry section, and past the doorway
	Buffered                // the access is a store that goes into the store buffer
	Starts                  // the step starts a write
	Running                 // a write is running, and the step ends it
	Stops                   // Fault says why there is no access
)

// State is a local state. Its JSON is an array: place, section, flags, register, to, now,
// and an object with the rest if there is any.
type State struct {
	Place    int32 // of the next access, or -1
	Section  int
	Flags    int
	Register int32 // of the next access, or -1
	// To and Now are lists by value of the register. To has the next local state, -1 if it is
	// not known. Now has the value that the access leaves, and is nil if the access leaves
	// every value.
	To, Now []int32
	Rest    *Rest
}

// Rest is what few local states have.
type Rest struct {
	Fault string `json:"fault,omitempty"`
	// Refused: it is not known what the process does next.
	Refused bool `json:"refused,omitempty"`
	// Holds are the slots of allocated memory that the state leads to, and Pools
	// those of the variables that its access shares. Binds say where they may be.
	Holds []int  `json:"holds,omitempty"`
	Pools []int  `json:"pools,omitempty"`
	Binds []Bind `json:"binds,omitempty"`
}

// Bind is what the access of a state becomes that shares allocated memory, when that memory
// gets these slots: that of another state, and Content are registers with their values.
type Bind struct {
	Slots   []int      `json:"slots"`
	State   int32      `json:"state"`
	Content [][2]int32 `json:"content"`
}

// Heap is memory that processes have allocated and shared. Roots are registers that may lead
// to slots. Leads has, by register and value, the slots that the value leads to. Pools has
// the slots that variables of one type get, in order.
type Heap struct {
	Slots []Slot    `json:"slots"`
	Roots []int32   `json:"roots"`
	Leads [][][]int `json:"leads"`
	Pools [][]int   `json:"pools"`
}

// Slot is the registers of a slot, and the slots that it leads to besides.
type Slot struct {
	Registers []int32 `json:"registers"`
	Leads     []int   `json:"leads,omitempty"`
}

// MarshalJSON writes a state as an array.
func (s State) MarshalJSON() ([]byte, error) {
	row := []any{s.Place, s.Section, s.Flags, s.Register, short(s.To), short(s.Now)}
	if s.Rest != nil {
		row = append(row, s.Rest)
	}
	return json.Marshal(row)
}

// short is one number if all are equal, and 0 for none.
func short(all []int32) any {
	if all == nil {
		return nil
	}
	for _, v := range all {
		if v != all[0] {
			return all
		}
	}
	return all[0]
}

// format names the form of a document.
const format = document.Play
