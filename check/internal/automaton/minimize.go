package automaton

import (
	"iter"
	"slices"
)

// Seen says which values of each register occur: Seen[r][v].
type Seen [][]bool

// Occurring yields the values of a register that occur, by their numbers: none of a
// register that is not reached in fact.
func (s Seen) Occurring(reg int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if reg < 0 || int(reg) >= len(s) {
			return
		}
		for v, occurs := range s[reg] {
			if occurs && !yield(int32(v)) {
				return
			}
		}
	}
}

// AllSeen says that every value known so far occurs.
func (l *Learner) AllSeen() Seen {
	seen := make(Seen, len(l.Regs))
	for r, reg := range l.Regs {
		seen[r] = make([]bool, len(reg.Values))
		for v := range seen[r] {
			seen[r][v] = true
		}
	}
	return seen
}

// Minimize returns the least automata with the same behavior on the values
// that occur: local states are merged when nothing that they do, whatever the
// accesses return, tells them apart. Unless marks is nil, its results
// for them must not tell them apart either.
func (l *Learner) Minimize(seen Seen, marks Marks) (*Model, error) {
	m := &Model{N: l.M.N}
	renumber := make(renumbering, len(seen))
	for r := range seen {
		renumber[r] = slices.Repeat([]int32{Unknown}, len(seen[r]))
		reg := Reg{At: l.Regs[r].At, Decided: l.Regs[r].Decided}
		for v := range seen.Occurring(int32(r)) {
			renumber[r][v] = int32(len(reg.Values))
			reg.Values, reg.Numbers = append(reg.Values, l.Regs[r].Values[v]), append(reg.Numbers, v)
		}
		m.Regs = append(m.Regs, reg)
	}
	for pid := range l.Procs {
		reached, err := l.complete(pid, seen)
		if err != nil {
			return nil, err
		}
		var mark map[int32]int64
		if marks != nil {
			mark = marks(pid, reached, seen)
		}
		merging := &merging{l, pid, l.Procs[pid], seen, renumber, mark, make([]int32, len(l.Procs[pid].States))}
		m.Procs = append(m.Procs, merging.merge(reached))
	}
	m.Heap = l.modelHeap(seen)
	return m, nil
}

// complete learns what is missing for the values that occur and returns the
// local states that can be reached by them, the initial one first.
func (l *Learner) complete(pid int, seen Seen) ([]int32, error) {
	p := l.Procs[pid]
	reached, queue := []int32{0}, []int32{0}
	// A state that is only the end of a bind makes its access for no other
	// values than those for which the bind is made.
	const bound, whole = 1, 2
	found := map[int32]int{0: whole}
	find := func(s int32, how int) {
		if found[s] == 0 {
			reached = append(reached, s)
		}
		if found[s] < how {
			found[s] = how
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		r := p.Reg[s]
		for v := range seen.Occurring(r) {
			switch {
			case l.takes(pid, s, v):
				for k := range p.binds[s] {
					l.contents(&p.binds[s][k])
					find(p.binds[s][k].State, bound)
				}
			case found[s] == bound && !p.States[s].Access.Takes(l.Regs[r].Values[v]):
				if int(v) < len(p.moves[s]) {
					p.moves[s][v] = Move{Unknown, Unknown}
				}
			default:
				m, err := l.Step(pid, s, v)
				if err != nil {
					return nil, err
				}
				find(m.State, whole)
			}
		}
	}
	return reached, nil
}

// modelHeap returns what is known of slots, for the values that occur.
func (l *Learner) modelHeap(seen Seen) *Heap {
	if !l.shares {
		return nil
	}
	h := &Heap{Pools: l.heap.Pools, Leads: make([][]uint64, len(seen))}
	within := func(reg int32) bool { return int(reg) < len(seen) }
	for _, r := range l.heap.Roots {
		if within(r) {
			h.Roots = append(h.Roots, r)
		}
	}
	for _, s := range l.heap.Slots {
		h.Slots = append(h.Slots, Slot{slices.DeleteFunc(slices.Clone(s.Regs), func(r SlotReg) bool { return !within(r.Reg) }), s.Leads})
	}
	for r := range seen {
		for v := range seen.Occurring(int32(r)) {
			h.Leads[r] = append(h.Leads[r], l.heap.lead(int32(r), v))
		}
	}
	return h
}
