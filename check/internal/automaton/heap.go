package automaton

import (
	"math/bits"
	"slices"

	"shmbench/check/internal/interp"
)

// Heap is the memory that processes have allocated and shared: up to 64 slots,
// each a variable with its registers. A slot is in use as long as registers or
// local states lead to it; sets of slots are words. See package interp.
type Heap struct {
	Slots []Slot
	// Roots are the registers outside of slots that may lead to some.
	Roots []int32
	// Leads has, by register and value, the slots that the value leads to. A value that is
	// not in it leads nowhere.
	Leads [][]uint64
	// Pools are the slots that a process takes for one type, in this order.
	Pools [][]int
}

// Slot is the registers of a slot, by cell, and what else it leads to.
type Slot struct {
	Regs  []SlotReg
	Leads uint64
}

// SlotReg is a register of a slot and the cell that it is.
type SlotReg struct{ Cell, Reg int32 }

// Bind is what becomes of a local state whose access shares variables that the
// process has allocated, when they get certain slots: the state in which they
// are there, and what the registers of the slots hold from then on.
type Bind struct {
	Slots   []int
	State   int32
	Content []Content
	content [][]interp.Value
}

// Content is the value that a register is given.
type Content struct{ Reg, Value int32 }

// within returns the content of the registers of a model, which has so many. The
// learner may know more, of steps that come after values which do not occur.
func (b *Bind) within(registers int) (content []Content) {
	for _, c := range b.Content {
		if int(c.Reg) < registers {
			content = append(content, c)
		}
	}
	return content
}

// Binds is the Move.State of a move that shares memory: it is that of the state
// of a Bind.
const Binds = -2

// Pending returns the slots that a store leads to which is in a store buffer: they are
// in use until it is in memory, that of the register as well.
func (h *Heap) Pending(reg, value int32) uint64 {
	return h.lead(reg, value) | h.slots(reg)
}

// slots returns the slots that a register is in: one or none.
func (h *Heap) slots(reg int32) (slots uint64) {
	for i, s := range h.Slots {
		if slices.ContainsFunc(s.Regs, func(r SlotReg) bool { return r.Reg == reg }) {
			slots |= 1 << i
		}
	}
	return slots
}

// In returns the slot that a register is in, or how many slots there can be.
func (h *Heap) In(reg int32) int { return bits.TrailingZeros64(h.slots(reg)) }

func (h *Heap) lead(reg, value int32) uint64 {
	if value >= 0 && int(reg) < len(h.Leads) && int(value) < len(h.Leads[reg]) {
		return h.Leads[reg][value]
	}
	return 0
}

// Reach returns the slots that are in use, where local states lead to those of
// the set roots, and registers hold what value gives.
func (h *Heap) Reach(roots uint64, value func(reg int32) int32) uint64 {
	for _, r := range h.Roots {
		roots |= h.lead(r, value(r))
	}
	all := roots
	for roots != 0 {
		s := &h.Slots[bits.TrailingZeros64(roots)]
		roots &= roots - 1
		more := s.Leads
		for _, r := range s.Regs {
			more |= h.lead(r.Reg, value(r.Reg))
		}
		roots |= more &^ all
		all |= more
	}
	return all
}

// Unused calls f for each register of a slot that is not in use: it holds what
// it held at first.
func (h *Heap) Unused(used uint64, f func(reg int32)) {
	for i := range h.Slots {
		if used>>i&1 == 0 {
			for _, r := range h.Slots[i].Regs {
				f(r.Reg)
			}
		}
	}
}

// Free returns the slots that variables of the given pools get. A variable that finds no slot
// gets -1.
func (h *Heap) Free(pools []int, used uint64) []int {
	slots := make([]int, len(pools))
	for i, p := range pools {
		slots[i] = -1
		for _, s := range h.Pools[p] {
			if used>>s&1 == 0 {
				slots[i] = s
				used |= 1 << s
				break
			}
		}
	}
	return slots
}

// register makes the register known at an address.
func (h *Heap) register(m *interp.Machine, at interp.Ptr) {
	reg := int32(len(h.Leads))
	h.Leads = append(h.Leads, nil)
	h.refresh(m)
	if s := m.SlotOf(at); s >= 0 {
		h.Slots[s].Regs = append(h.Slots[s].Regs, SlotReg{at.Off, reg})
	}
}

// value makes the next value of a register known.
func (h *Heap) value(reg int32, leads uint64) {
	h.Leads[reg] = append(h.Leads[reg], leads)
	if leads == 0 {
		return
	}
	if !slices.Contains(h.Roots, reg) && h.slots(reg) == 0 {
		h.Roots = append(h.Roots, reg)
	}
}

// refresh makes known what the machine has of slots.
func (h *Heap) refresh(m *interp.Machine) {
	for len(h.Slots) < m.Slots() {
		h.Slots = append(h.Slots, Slot{})
	}
	for i := range h.Slots {
		h.Slots[i].Leads = m.Constants(i)
	}
	h.Pools = nil // models have what was known before
	for p := range m.Pools() {
		h.Pools = append(h.Pools, m.Pool(p))
	}
}

// Shares reports whether processes share memory that they have allocated.
func (l *Learner) Shares() bool { return l.shares }

// Heap returns what is known of the slots.
func (l *Learner) Heap() *Heap { return &l.heap }

// Holds returns the slots that a local state leads to.
func (l *Learner) Holds(pid int, s int32) uint64 { return l.Procs[pid].holds[s] }

// Bind returns the new local state of process pid in local state s if its access shares
// memory. The access shares memory if its register holds value number v; otherwise Bind
// returns nil. used gives the slots that are in use.
func (l *Learner) Bind(pid int, s, v int32, used func() uint64) (*Bind, error) {
	if !l.takes(pid, s, v) {
		return nil, nil
	}
	pools := l.Procs[pid].pools[s]
	slots := l.heap.Free(pools, used())
	for i, slot := range slots {
		if slot >= 0 {
			continue
		}
		var err error
		if slots[i], err = l.M.Grow(pools[i]); err != nil {
			return nil, err
		}
		l.heap.refresh(l.M)
		l.alike(pools[i], slots[i])
	}
	p := l.Procs[pid]
	for i := range p.binds[s] {
		if b := &p.binds[s][i]; slices.Equal(b.Slots, slots) {
			l.contents(b)
			return b, nil
		}
	}
	st, content, err := l.M.Bind(p.States[s], slots)
	if err != nil {
		return nil, err
	}
	to, err := l.state(pid, st)
	if err != nil {
		return nil, err
	}
	l.heap.refresh(l.M)
	p.binds[s] = append(p.binds[s], Bind{Slots: slots, State: to, content: content})
	b := &p.binds[s][len(p.binds[s])-1]
	l.contents(b)
	return b, nil
}

// alike makes the registers of a new slot known that other slots of its pool have.
func (l *Learner) alike(pool, slot int) {
	for _, other := range l.M.Pool(pool) {
		for _, r := range slices.Clone(l.heap.Slots[other].Regs) {
			l.register(l.M.SlotCell(slot, r.Cell))
		}
	}
}

// contents numbers the values that a bind gives to the registers that are
// known.
func (l *Learner) contents(b *Bind) {
	n := 0
	for _, slot := range b.Slots {
		n += len(l.heap.Slots[slot].Regs)
	}
	if len(b.Content) == n {
		return
	}
	b.Content = nil
	for i, slot := range b.Slots {
		for _, r := range l.heap.Slots[slot].Regs {
			b.Content = append(b.Content, Content{r.Reg, l.Regs[r.Reg].value(b.content[i][r.Cell])})
		}
	}
}

// takes reports whether an access in local state s shares memory where the
// register holds value number v.
func (l *Learner) takes(pid int, s, v int32) bool {
	if !l.shares {
		return false
	}
	p := l.Procs[pid]
	return p.pools[s] != nil && p.States[s].Access.Takes(l.Regs[p.Reg[s]].Values[v])
}

// successors returns the local states that follow s when its register holds value
// number v: the one that is left, or those of all its binds.
func (l *Learner) successors(pid int, s, v int32) (to []int32) {
	p := l.Procs[pid]
	if l.takes(pid, s, v) {
		for _, b := range p.binds[s] {
			to = append(to, b.State)
		}
		return to
	}
	if int(v) < len(p.moves[s]) && p.moves[s][v].State != Unknown {
		to = append(to, p.moves[s][v].State)
	}
	return to
}
