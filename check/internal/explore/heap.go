package explore

import (
	"math/bits"
	"slices"

	"shmbench/check/internal/automaton"
)

// share makes the access of a process that may share what it has allocated.
func (s *SC) share(pid int, from, to []uint64) {
	copy(to, from)
	l := s.Local(from, pid)
	m, known := s.shares(pid, l, l.Moves[s.Regs[l.Reg].Of(from)], to, func() uint64 { return s.used(from) })
	if !known {
		panic("memory is shared in a way that was not learned")
	}
	s.Procs[pid].set(to, m.State)
	if m.Value != automaton.Unknown {
		s.Regs[l.Reg].set(to, m.Value)
	}
}

// shares returns the move that a process makes instead of one that shares memory,
// when some slots are in use, and gives that memory its content. It reports whether
// that was learned.
func (s *SC) shares(pid int, l *automaton.Local, m automaton.Move, to []uint64, used func() uint64) (automaton.Move, bool) {
	if m.State != automaton.Binds {
		return m, true
	}
	slots := s.Model.Heap.Free(l.Pools, used())
	for i := range l.Binds {
		b := &l.Binds[i]
		if !slices.Equal(b.Slots, slots) {
			continue
		}
		v := s.Regs[l.Reg].Of(to)
		for _, c := range b.Content {
			s.Regs[c.Reg].set(to, max(c.Value, 0)) // what does not occur is forgotten at once
		}
		return s.Model.Procs[pid].Local[b.State].Moves[v], true
	}
	return m, false
}

// used returns the slots that are in use in a state.
func (s *SC) used(state []uint64) uint64 { return s.reach(state, s.held(state)) }

// held returns the slots that local states lead to.
func (s *SC) held(state []uint64) (roots uint64) {
	for pid := range s.Procs {
		roots |= s.Local(state, pid).Holds
	}
	return roots
}

// reach returns the slots that are in use if some are.
func (s *SC) reach(state []uint64, roots uint64) uint64 {
	return s.Model.Heap.Reach(roots, func(reg int32) int32 { return s.Regs[reg].Of(state) })
}

// collect makes the registers of slots that are not in use what they were at
// first, in each of the successors.
func (s *SC) collect(enabled uint64, out []uint64, stride int, used func(state []uint64) uint64) {
	for ; enabled != 0; enabled &= enabled - 1 {
		to := out[bits.TrailingZeros64(enabled)*stride:][:stride]
		s.slots.collect(to, used(to))
	}
}

// slots is where the registers of each slot are in a state: the bits of its
// words.
type slots [][]uint64

func newSlots(h *automaton.Heap, words int, field func(reg int32) Field) slots {
	if h == nil {
		return nil
	}
	all := make(slots, len(h.Slots))
	for i := range all {
		all[i] = make([]uint64, words)
		for _, r := range h.Slots[i].Regs {
			f := field(r.Reg)
			all[i][f.Word] |= f.Mask << f.Shift
		}
	}
	return all
}

// collect gives the registers of slots that are not in use their first value.
func (s slots) collect(state []uint64, used uint64) {
	for i, mask := range s {
		if used>>i&1 == 0 {
			for w := range mask {
				state[w] &^= mask[w]
			}
		}
	}
}
