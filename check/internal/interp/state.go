package interp

import (
	"go/token"
	"slices"

	"shmbench/shm"
)

// Section is the part of its cycle that a process is in.
type Section uint8

// The sections. A process is in Remainder until the first access of its
// Lock. It is in Critical from the last access of Lock to the first of
// Unlock. If processes crash, Recover comes before Lock, if the lock has it.
const (
	Remainder Section = iota
	Entry
	Critical
	Exit
	// Recovery is from the first access of Recover to its last, where passages begin with it.
	Recovery
)

// String returns the section's name.
func (s Section) String() string {
	return [...]string{"remainder", "entry", "critical", "exit", "recovery"}[s]
}

// State is a process between two accesses: it has all that its next steps
// depend on, and nothing else. A State is immutable.
type State struct {
	Section Section
	// Mode is that of the passage, Exclusive before the process has decided, and
	// GaveUp says that its giveUp has returned true.
	Mode   shm.Mode
	GaveUp bool
	// Access is the next access, nil if Fault tells why there is none.
	Access  *Access
	Fault   *Fault
	frames  []frame
	heap    []object // objects -1, -2, …
	fresh   int      // so many of them are shared by the next access, if it writes
	aliases []alias  // among them
	priv    []Value  // the process's private cells of shared memory
	failed  bool     // the passage has, before its one step, which is a Pass
}

type frame struct {
	f     *fnInfo
	block int
	pc    int
	env   []Value
	// deferred are the calls that have been deferred, the last one to be made
	// first, and at is where the one that runs was deferred.
	deferred []deferred
	at       token.Pos
	// words are what has been read or written so far of a struct or an array that
	// is copied word by word; nil if none is.
	words []Value
}

// fewCalls is how many calls a process mostly makes within others before its next access.
const fewCalls = 4

// clone returns a copy of what running the process changes.
func (s *State) clone() *State {
	c := &State{heap: cloneObjects(s.heap), priv: slices.Clone(s.priv), aliases: slices.Clone(s.aliases)}
	c.frames = append(make([]frame, 0, len(s.frames)+fewCalls), s.frames...)
	size := 0
	for _, fr := range s.frames {
		size += len(fr.env)
	}
	envs := make([]Value, size) // one allocation for all
	for i := range c.frames {
		n := copy(envs, s.frames[i].env)
		c.frames[i].env, envs = envs[:n:n], envs[n:]
	}
	return c
}

// live returns the slots of the values that frame number i may still use. The innermost
// frame is at the beginning of its instruction if begins is true; any other frame waits
// for the function that its instruction calls.
func (s *State) live(i int, begins bool) []int {
	fr := &s.frames[i]
	if begins && i == len(s.frames)-1 {
		return fr.f.liveBefore(fr.block, fr.pc)
	}
	return fr.f.liveAfter(fr.block, fr.pc)
}

// Bytes is about what a state takes in memory, without its key.
func (s *State) Bytes() int {
	cells := len(s.priv)
	for _, f := range s.frames {
		cells += len(f.env) + 3
	}
	for _, o := range s.heap {
		cells += len(o.cells) + 3
	}
	return 256 + cells*cellBytes
}

// Private returns what the process's own cell of shared memory number i holds.
func (s *State) Private(i int) Value {
	if i >= len(s.priv) {
		return nil
	}
	return s.priv[i]
}

// Nest returns the receiver of the innermost Lock or Unlock that runs inside
// the lock's own, or the zero Ptr. The node of a tree is such a receiver.
func (m *Machine) Nest(s *State) Ptr {
	for i := len(s.frames) - 1; i >= 1; i-- {
		f := s.frames[i]
		if p, ok := f.env[0].(Ptr); f.f.section && ok {
			return p
		}
	}
	return Ptr{}
}
