package explore

import (
	"iter"
	"math/bits"
	"sync/atomic"

	"shmbench/check/internal/automaton"
)

// TSO is a model under total store order: each process has a first-in
// first-out buffer of stores. A store without a fence goes into it, and a load
// finds the newest store of its own process there before it looks into memory.
// Any other access waits until the buffer is empty. Party N+p is what moves
// the oldest store of process p to memory.
type TSO struct {
	*SC
	buffered [][]bool // by process and local state: it makes a store that goes into the buffer
	size     int      // words of a buffer
	places   []Field  // of a buffer, in the words from its first
	value    uint     // bits of the value of a buffered store; the register is above
	// Full is set when a process has had to wait for room in its buffer.
	Full atomic.Bool
}

// A buffer's first field is the number of stores in it; the stores follow, the
// oldest first, and nothing is left behind them.
const countBits = 8

// NewTSO returns the model with buffers of 1 to 255 stores, into
// which the stores go that buffered holds for.
func NewTSO(s *SC, capacity int, buffered func(pid int, local int32) bool) *TSO {
	values := 1
	for _, r := range s.Model.Regs {
		values = max(values, len(r.Values))
	}
	t := &TSO{SC: s, value: uint(bits.Len(uint(values - 1)))}
	stores := len(s.Model.Regs) << t.value
	p := packer{used: countBits}
	for range capacity {
		t.places = append(t.places, p.field(stores))
	}
	t.size = p.word + 1
	for pid, proc := range s.Model.Procs {
		goes := make([]bool, len(proc.Local))
		for i, l := range proc.Local {
			goes[i] = l.Kind&automaton.Writes != 0 && l.Kind&automaton.Reads == 0 && buffered(pid, int32(i))
		}
		t.buffered = append(t.buffered, goes)
	}
	return t
}

// buffer returns the buffer of a process in a state.
func (t *TSO) buffer(s []uint64, pid int) []uint64 { return s[t.words+pid*t.size:][:t.size] }

func count(b []uint64) int { return int(b[0] & (1<<countBits - 1)) }

// store returns the store in a place of a buffer.
func (t *TSO) store(b []uint64, i int) (reg, value int32) {
	e := t.places[i].Of(b)
	return e >> t.value, e & (1<<t.value - 1)
}

// Words returns the length of a state: that of the system and the buffers.
func (t *TSO) Words() int { return t.words + t.Model.N*t.size }

// Actors returns the number of processes and buffers, times that of outcomes.
func (t *TSO) Actors() int { return t.Parties() * t.outcomes }

// Parties returns the number of processes and buffers.
func (t *TSO) Parties() int { return 2 * t.Model.N }

// Initial is the system's initial state with empty buffers.
func (t *TSO) Initial(s []uint64) {
	clear(s)
	t.SC.Initial(s[:t.words])
}

// push adds a store to a buffer.
func (t *TSO) push(b []uint64, reg, value int32) {
	f := t.places[count(b)]
	b[f.Word] |= uint64(reg<<t.value|value) << f.Shift
	b[0]++
}

// pop removes the oldest store from a buffer.
func (t *TSO) pop(b []uint64) (reg, value int32) {
	reg, value = t.store(b, 0)
	last := count(b) - 1
	for i := range last + 1 {
		f, next := t.places[i], uint64(0)
		if i < last {
			next = uint64(t.places[i+1].Of(b))
		}
		b[f.Word] = b[f.Word]&^(f.Mask<<f.Shift) | next<<f.Shift
	}
	b[0]--
	return reg, value
}

// forwarded returns the newest value for a register in a buffer.
func (t *TSO) forwarded(b []uint64, reg int32) (value int32, found bool) {
	for i := count(b) - 1; i >= 0; i-- {
		if r, v := t.store(b, i); r == reg {
			return v, true
		}
	}
	return 0, false
}

// Pending yields the stores in the buffer of a process, the oldest first: each
// register and the number of the value.
func (t *TSO) Pending(s []uint64, pid int) iter.Seq2[int32, int32] {
	b := t.buffer(s, pid)
	return func(yield func(reg, value int32) bool) {
		for i := range count(b) {
			if !yield(t.store(b, i)) {
				return
			}
		}
	}
}

// Sees returns the number of the value that the next access of a process finds.
func (t *TSO) Sees(s []uint64, pid int) int32 {
	l := &t.local[pid][t.Procs[pid].Of(s)]
	v := l.reg.Of(s)
	if l.kind == 0 || l.kind&automaton.Writes != 0 {
		return v
	}
	return t.sees(l, t.buffer(s, pid), v)
}

// sees returns what a load finds: the newest store in the process's own buffer, or
// what is in memory.
func (t *TSO) sees(l *local, b []uint64, memory int32) int32 {
	if own, found := t.forwarded(b, l.register); found {
		return own
	}
	return memory
}

// Expand makes each process's next access, and moves each buffer's oldest
// store to memory.
func (t *TSO) Expand(from, out []uint64) (enabled uint64, bad Bad) {
	critical := 0
	for pid := range t.Model.N {
		f := t.Procs[pid]
		s := f.Of(from)
		l := &t.local[pid][s]
		critical += l.critical
		bad |= l.fault
		b := t.buffer(from, pid)
		if count(b) > 0 {
			to := out[(t.Model.N+pid)*t.Words():][:t.Words()]
			copy(to, from)
			reg, value := t.pop(t.buffer(to, pid))
			t.set(to, reg, value)
			enabled |= 1 << (t.Model.N + pid)
		}
		switch l.base {
		case none:
			continue
		case lacks:
			bad |= Missing
			continue
		case decides:
			enabled |= t.decide(pid, from, out, t.Words(), t.Parties())
			continue
		}
		to := out[pid*t.Words():][:t.Words()]
		copy(to, from)
		made, fault := t.step(pid, s, l, b, from, to)
		if made {
			enabled |= 1 << pid
		}
		bad |= fault
	}
	if t.Model.Heap != nil {
		for set := enabled; set != 0; set &= set - 1 {
			to := out[bits.TrailingZeros64(set)*t.Words():][:t.Words()]
			t.slots.collect(to, t.used(to))
		}
	}
	if critical > single {
		bad |= Exclusion
	}
	if t.plain && t.race(from) {
		bad |= Race
	}
	return enabled, bad
}

// used returns the slots that are in use in a state: what a buffered store leads to is,
// although others cannot find it yet.
func (t *TSO) used(s []uint64) uint64 {
	roots := t.held(s)
	for pid := range t.Model.N {
		for reg, value := range t.Pending(s, pid) {
			roots |= t.Model.Heap.Pending(reg, value)
		}
	}
	return t.reach(s, roots)
}

// step makes a process's access, unless it has to wait for its buffer, or would
// leave a value that the model lacks.
func (t *TSO) step(pid int, s int32, l *local, b, from, to []uint64) (made bool, bad Bad) {
	auto := &t.Model.Procs[pid].Local[s]
	v := l.reg.Of(from)
	m := auto.Moves[v]
	switch {
	case l.kind == 0:
	case l.kind&automaton.Writes == 0:
		m = auto.Moves[t.sees(l, b, v)]
	case t.buffered[pid][s]:
		if count(b) == len(t.places) {
			t.Full.Store(true)
			return false, 0
		}
		if m = t.move(pid, auto, m, from, to); m.Value != automaton.Unknown {
			t.push(t.buffer(to, pid), l.register, m.Value)
		}
	default:
		if count(b) > 0 {
			return false, 0
		}
		if m = t.move(pid, auto, m, from, to); m.Value != automaton.Unknown {
			t.set(to, l.register, m.Value)
		}
	}
	if m.Value == automaton.Unknown {
		return false, Missing
	}
	t.Procs[pid].set(to, m.State)
	return true, 0
}

// move returns the move that a process makes when it writes: where it shares memory
// that it has allocated, the memory is there from then on, as others find it only when
// the address has left the buffer.
func (t *TSO) move(pid int, l *automaton.Local, m automaton.Move, from, to []uint64) automaton.Move {
	if l.Binds == nil {
		return m
	}
	m, known := t.shares(pid, l, m, to, func() uint64 { return t.used(from) })
	if !known {
		return automaton.Move{State: automaton.Unknown, Value: automaton.Unknown}
	}
	return m
}

func (t *TSO) set(to []uint64, reg, value int32) { t.Regs[reg].set(to, value) }
