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
	m := l.Moves[s.Regs[l.Reg].Of(from)]
	if m.State == automaton.Binds {
		b := s.bind(l, s.used(from))
		for _, c := range b.Content {
			s.Regs[c.Reg].set(to, max(c.Value, 0)) // what does not occur is forgotten at once
		}
		m = s.Model.Procs[pid].Local[b.State].Moves[s.Regs[l.Reg].Of(from)]
	}
	s.Procs[pid].set(to, m.State)
	if m.Value != automaton.Unknown {
		s.Regs[l.Reg].set(to, m.Value)
	}
}

// bind returns what becomes of a local state whose access shares memory, when
// some slots are in use.
func (s *SC) bind(l *automaton.Local, used uint64) *automaton.Bind {
	slots := s.Model.Heap.Free(l.Pools, used)
	for i := range l.Binds {
		if b := &l.Binds[i]; slices.Equal(b.Slots, slots) {
			return b
		}
	}
	panic("explore: internal error: memory is shared in a way that was not learned")
}

// used returns the slots that are in use in a state.
func (s *SC) used(state []uint64) (roots uint64) {
	for pid := range s.Procs {
		roots |= s.Local(state, pid).Holds
	}
	return s.Model.Heap.Reach(roots, func(reg int32) int32 { return s.Regs[reg].Of(state) })
}

// collect makes the registers of slots that are not in use what they were at
// first, in each of the successors.
func (s *SC) collect(enabled uint64, out []uint64, stride int) {
	for ; enabled != 0; enabled &= enabled - 1 {
		to := out[bits.TrailingZeros64(enabled)*stride:][:s.words]
		s.slots.collect(to, s.used(to))
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
