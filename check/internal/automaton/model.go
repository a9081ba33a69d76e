package automaton

import "shmbench/check/internal/interp"

// Access kinds, for telling reads from writes and plain from atomic.
type AccessKind uint8

// The bits of an AccessKind.
const (
	Reads AccessKind = 1 << iota
	Writes
	Plain
)

// Kind returns the kind of a local state's access.
func Kind(s *interp.State) AccessKind {
	if s.Access == nil {
		return 0
	}
	var k AccessKind
	switch s.Access.Op {
	case interp.Pass:
		return 0
	case interp.Load:
		k = Reads
	case interp.Store:
		k = Writes
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
}

// Reg is a register and the values that it may hold; Values[0] is the initial.
type Reg struct {
	At     interp.Ptr
	Values []interp.Value
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
	Kind    AccessKind
	Reg     int32  // the register of the next access, -1 if there is none
	Moves   []Move // by value of the register
	Fault   *interp.Fault
	Mark    int // what Marks gave
	// Passages counts the passages that are done, where they are limited.
	Passages int32
}

// Limit returns the model in which each process makes at most k passages and
// then stays in its remainder section.
func (m *Model) Limit(k int) *Model {
	out := &Model{N: m.N, Regs: m.Regs}
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
		moves := l.Moves
		l.Moves = make([]Move, len(moves))
		for v, m := range moves {
			to := at{m.State, from.passages}
			if p.Local[m.State].Section == interp.Remainder && l.Section != interp.Remainder {
				if to.passages++; to.passages == k {
					to = end
				}
			}
			n, ok := number[to]
			if !ok {
				n = int32(len(order))
				number[to] = n
				order = append(order, to)
			}
			l.Moves[v] = Move{n, m.Value}
		}
		out.Local = append(out.Local, l)
		out.Members = append(out.Members, p.Members[from.s])
	}
	return out
}
