package automaton

import (
	"slices"

	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Access kinds, for telling reads from writes and plain from atomic.
type AccessKind uint8

// The bits of an AccessKind.
const (
	Reads AccessKind = 1 << iota
	Writes
	Plain
	Released
)

// Unfenced reports whether the access is a store that has no fence behind it: one
// with release order, or a plain one.
func (k AccessKind) Unfenced() bool { return k&Writes != 0 && k&(Released|Plain) != 0 }

// Kind returns the kind of a local state's access.
func Kind(s *interp.State) AccessKind {
	if s.Access == nil {
		return 0
	}
	var k AccessKind
	switch s.Access.Op {
	case interp.Pass, interp.Call, interp.Poll:
		return 0
	case interp.Load:
		k = Reads
	case interp.Store:
		k = Writes
	case interp.StoreRelease:
		k = Writes | Released
	default:
		k = Reads | Writes
	}
	if s.Access.Plain {
		k |= Plain
	}
	return k
}

// Model is a lock as automata that share registers.
type Model struct {
	N     int
	Regs  []Reg
	Procs []*Proc
	Heap  *Heap // nil unless processes share what they have allocated
}

// Reg is a register and the values that it may hold; Values[0] is the initial. One
// that stands for a process's own decision holds any of them at any time.
type Reg struct {
	At      interp.Ptr
	Values  []interp.Value
	Decided bool
	// Numbers has, by value, the Learner's number of it.
	Numbers []int32
}

// Proc is one process.
type Proc struct {
	Init  int32
	Local []Local
	// Members has, by state, the Learner's local states that were merged.
	Members [][]int32
}

// Local is a local state of a process.
type Local struct {
	Section interp.Section
	// Mode is the one that the process has decided on, and GaveUp says that its
	// giveUp has returned true.
	Mode   shm.Mode
	GaveUp bool
	Kind   AccessKind
	// Decides: any of Moves may be made, as the process decides.
	Decides bool
	Reg     int32  // the register of the next access, -1 if there is none
	Moves   []Move // by value of the register
	Holds   uint64 // the slots that it leads to
	Pools   []int  // of the variables that a move to Binds shares
	Binds   []Bind
	Fault   *interp.Fault
	Mark    int64 // what Marks gave
	// Starts and Running are of a store in two steps: the next access starts it,
	// or finishes it.
	Starts, Running bool
	// Passages counts the passages that are done, where they are limited.
	Passages int32
}

// Successors returns the states that may follow s: where its access shares memory,
// the states in which that memory has its slots, which make the access.
func (p *Proc) Successors(s int32) (to []int32) {
	l := &p.Local[s]
	for _, m := range l.Moves {
		if m.State >= 0 {
			to = append(to, m.State)
		}
	}
	for _, b := range l.Binds {
		to = append(to, b.State)
	}
	return to
}

// InPassage reports whether a step from a section is one of a passage: those of a
// process in its remainder section are, unless it decides how to go on. A call that
// fails by its first access is a whole passage.
func InPassage(from interp.Section, decides bool) bool {
	return from != interp.Remainder || !decides
}

// Limit returns the model in which each process makes at most k passages and
// then stays in its remainder section.
func (m *Model) Limit(k int) *Model {
	out := &Model{N: m.N, Regs: m.Regs, Heap: m.Heap}
	for _, p := range m.Procs {
		out.Procs = append(out.Procs, p.limit(int32(k)))
	}
	return out
}

func (p *Proc) limit(k int32) *Proc {
	type at struct{ s, passages int32 }
	number := map[at]int32{{p.Init, 0}: 0}
	order := []at{{p.Init, 0}}
	out := &Proc{}
	end := at{-1, k}
	for i := 0; i < len(order); i++ {
		from := order[i]
		if from == end {
			out.Local = append(out.Local, Local{Section: interp.Remainder, Reg: -1, Passages: k})
			out.Members = append(out.Members, nil)
			continue
		}
		l := p.Local[from.s]
		l.Passages = from.passages
		numbered := func(to at) int32 {
			n, ok := number[to]
			if !ok {
				n = int32(len(order))
				number[to] = n
				order = append(order, to)
			}
			return n
		}
		follow := func(s int32) int32 {
			to := at{s, from.passages}
			if p.Local[s].Section == interp.Remainder && InPassage(l.Section, l.Decides) {
				if to.passages++; to.passages == k {
					to = end
				}
			}
			return numbered(to)
		}
		moves, binds := l.Moves, l.Binds
		l.Moves, l.Binds = make([]Move, len(moves)), slices.Clone(binds)
		for v, m := range moves {
			if l.Moves[v] = m; m.State >= 0 {
				l.Moves[v].State = follow(m.State)
			}
		}
		for i, b := range binds {
			l.Binds[i].State = numbered(at{b.State, from.passages}) // which makes the step
		}
		out.Local = append(out.Local, l)
		out.Members = append(out.Members, p.Members[from.s])
	}
	return out
}
