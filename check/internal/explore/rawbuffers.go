package explore

import "shmbench/check/internal/automaton"

// rawBuffers are the store buffers of a lock that is learned under total store order:
// see TSO. They lie behind the registers in a state, those of one process after those of
// another: the number of stores, and each store as a register and a value, in half a
// word.
type rawBuffers struct {
	capacity int
	goes     func(pid int, local int32) bool
	size     int // words
	first    int // word
}

// Buffer has stores go into store buffers of a capacity that goes holds for, in the
// learner's local states. It must be called before the system is explored.
func (r *Raw) Buffer(capacity int, goes func(pid int, local int32) bool) {
	r.buffers = &rawBuffers{capacity, goes, 1 + (capacity+1)/2, r.words}
	r.words += r.l.M.N * r.buffers.size
	r.slots = newSlots(r.l.Heap(), r.words, r.field)
}

// buffer returns the buffer of a process in a state.
func (r *Raw) buffer(s []uint64, pid int) []uint64 {
	return s[r.buffers.first+pid*r.buffers.size:][:r.buffers.size]
}

const rawStore = 32 // bits

func (r *Raw) push(s []uint64, pid int, reg, value int32) {
	b := r.buffer(s, pid)
	k := b[0]
	b[1+k/2] |= (uint64(reg)<<16 | uint64(value)) << (k % 2 * rawStore)
	b[0]++
}

// stored returns the register and value of a store in a buffer.
func stored(b []uint64, k uint64) (reg, value int32) {
	e := b[1+k/2] >> (k % 2 * rawStore) & (1<<rawStore - 1)
	return int32(e >> 16), int32(e & (1<<16 - 1))
}

// flush moves the oldest store of a process to memory, if it has one.
func (r *Raw) flush(s, out []uint64, pid int) bool {
	if r.buffer(s, pid)[0] == 0 {
		return false
	}
	to := out[(r.l.M.N+pid)*r.words:][:r.words]
	copy(to, s)
	from, b := r.buffer(s, pid), r.buffer(to, pid)
	clear(b)
	for k := uint64(1); k < from[0]; k++ {
		reg, value := stored(from, k)
		r.push(to, pid, reg, value)
	}
	reg, value := stored(from, 0)
	r.set(to, reg, value)
	if r.l.Shares() {
		r.slots.collect(to, r.used(to))
	}
	return true
}

// stands reports whether a process waits for its buffer.
func (r *Raw) stands(s []uint64, pid int, local int32) bool {
	count := int(r.buffer(s, pid)[0])
	if r.buffers.goes(pid, local) {
		return count == r.buffers.capacity
	}
	return r.l.Procs[pid].Kind(local)&automaton.Writes != 0 && count > 0
}

// sees returns the number of the value that an access finds where memory holds v: a
// load finds the newest store in its process's buffer.
func (r *Raw) sees(s []uint64, pid int, local, v int32) int32 {
	if r.buffers == nil || r.l.Procs[pid].Kind(local) != automaton.Reads && r.l.Procs[pid].Kind(local) != automaton.Reads|automaton.Plain {
		return v
	}
	b := r.buffer(s, pid)
	for k := b[0]; k > 0; k-- {
		if reg, value := stored(b, k-1); reg == r.l.Procs[pid].Reg[local] {
			return value
		}
	}
	return v
}

// pending returns the slots that the stores in a process's buffer lead to.
func (r *Raw) pending(s []uint64, pid int) (slots uint64) {
	b := r.buffer(s, pid)
	for k := range b[0] {
		slots |= r.l.Heap().Pending(stored(b, k))
	}
	return slots
}
