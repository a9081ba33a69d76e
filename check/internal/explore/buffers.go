package explore

import (
	"iter"

	"shmbench/check/internal/automaton"
)

// buffers are the store buffers of processes, which lie behind the other fields of a
// state: those of one process after those of another. A buffer's first field is the
// number of stores in it. The stores follow, the oldest first. The fields behind the
// newest store are 0.
type buffers struct {
	procs  int
	first  int     // the first word of the buffers in a state
	size   int     // words of a buffer
	places []Field // of the stores, in the words of a buffer
	value  uint    // bits of a store that have its value; the register is above
}

const countBits = 8

// newBuffers returns buffers of 1 to 255 stores each, from a word on. A register and
// a value take as many bits as are given.
func newBuffers(procs, first, capacity int, registers, value uint) *buffers {
	b := &buffers{procs: procs, first: first, value: value}
	p := packer{used: countBits}
	for range capacity {
		b.places = append(b.places, p.field(1<<(registers+value)))
	}
	b.size = p.word + 1
	return b
}

// words is how many words all the buffers take.
func (b *buffers) words() int { return b.procs * b.size }

// of returns the buffer of a process in a state.
func (b *buffers) of(s []uint64, pid int) []uint64 { return s[b.first+pid*b.size:][:b.size] }

func count(buffer []uint64) int { return int(buffer[0] & (1<<countBits - 1)) }

// Capacity is how many stores a buffer holds.
func (b *buffers) Capacity() int { return len(b.places) }

// empty reports whether a process has no store in its buffer.
func (b *buffers) empty(s []uint64, pid int) bool { return count(b.of(s, pid)) == 0 }

// waits reports whether a process waits for its buffer before its next access: for
// room, if the access is a store that goes into the buffer, and otherwise, if the
// access writes, until the buffer is empty.
func (b *buffers) waits(s []uint64, pid int, kind automaton.AccessKind, intoBuffer bool) bool {
	if intoBuffer {
		return count(b.of(s, pid)) == len(b.places)
	}
	return kind&automaton.Writes != 0 && !b.empty(s, pid)
}

// store returns the store in a place of a buffer.
func (b *buffers) store(buffer []uint64, i int) (reg, value int32) {
	f := b.places[i]
	e := buffer[f.Word] >> f.Shift & f.Mask
	return int32(e >> b.value), int32(e & (1<<b.value - 1))
}

// push adds a store to the buffer of a process.
func (b *buffers) push(s []uint64, pid int, reg, value int32) {
	buffer := b.of(s, pid)
	f := b.places[count(buffer)]
	buffer[f.Word] |= (uint64(reg)<<b.value | uint64(value)) << f.Shift
	buffer[0]++
}

// pop removes the oldest store from the buffer of a process.
func (b *buffers) pop(s []uint64, pid int) (reg, value int32) {
	buffer := b.of(s, pid)
	reg, value = b.store(buffer, 0)
	last := count(buffer) - 1
	for i := range last + 1 {
		f, next := b.places[i], uint64(0)
		if i < last {
			g := b.places[i+1]
			next = buffer[g.Word] >> g.Shift & g.Mask
		}
		buffer[f.Word] = buffer[f.Word]&^(f.Mask<<f.Shift) | next<<f.Shift
	}
	buffer[0]--
	return reg, value
}

// sees returns what an access of a process finds: a load finds the newest store to
// the register in the process's own buffer. If there is none, and for any other
// access, it is what is in memory.
func (b *buffers) sees(s []uint64, pid int, kind automaton.AccessKind, reg, memory int32) int32 {
	if kind&automaton.Reads == 0 || kind&automaton.Writes != 0 {
		return memory
	}
	buffer := b.of(s, pid)
	for i := count(buffer) - 1; i >= 0; i-- {
		if r, v := b.store(buffer, i); r == reg {
			return v
		}
	}
	return memory
}

// Pending yields the stores in the buffer of a process, the oldest first: each
// register and the number of the value.
func (b *buffers) Pending(s []uint64, pid int) iter.Seq2[int32, int32] {
	buffer := b.of(s, pid)
	return func(yield func(reg, value int32) bool) {
		for i := range count(buffer) {
			if !yield(b.store(buffer, i)) {
				return
			}
		}
	}
}

// leads returns the slots that the stores in the buffers lead to.
func (b *buffers) leads(s []uint64, heap *automaton.Heap) (slots uint64) {
	for pid := range b.procs {
		for reg, value := range b.Pending(s, pid) {
			slots |= heap.Pending(reg, value)
		}
	}
	return slots
}
