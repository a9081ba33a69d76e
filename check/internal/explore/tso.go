package explore

import (
	"math/bits"
	"sync/atomic"

	"shmbench/check/internal/automaton"
)

// TSO is a model under total store order: each process has a first-in
// first-out buffer of stores. A store without a fence goes into it, and a load
// finds the newest store of its own process there before it looks into memory.
// Any other access waits until the buffer is empty. Actor N+p is what moves
// the oldest store of process p to memory.
type TSO struct {
	*SC
	buffered func(pid int, local int32) bool
	entry    uint // bits of a buffered store: register and value
	value    uint // bits of the value in it
	capacity uint64
	// Missing is set when a value has been stored that the model does not know;
	// the exploration ends then.
	Missing atomic.Bool
}

// A process's buffer is a word: the number of stores in the low bits, and the
// stores above them, the oldest lowest.
const countBits = 3

// mostBuffered is how many stores a buffer holds at most.
const mostBuffered = 4

// NewTSO returns the model with store buffers, into which the stores go that
// buffered holds for.
func NewTSO(s *SC, buffered func(pid int, local int32) bool) *TSO {
	values := 1
	for _, r := range s.Model.Regs {
		values = max(values, len(r.Values))
	}
	t := &TSO{SC: s, buffered: buffered, value: uint(bits.Len(uint(values - 1)))}
	t.entry = t.value + uint(bits.Len(uint(len(s.Model.Regs)-1)))
	t.capacity = mostBuffered
	if t.entry > 0 {
		t.capacity = min(mostBuffered, uint64((64-countBits)/t.entry))
	}
	return t
}

// Words returns the length of a state: that of the system and the buffers.
func (t *TSO) Words() int { return t.words + t.Model.N }

// Actors returns the number of processes and buffers.
func (t *TSO) Actors() int { return 2 * t.Model.N }

// Initial is the system's initial state with empty buffers.
func (t *TSO) Initial(s []uint64) {
	clear(s)
	t.SC.Initial(s[:t.words])
}

// push returns a buffer with a store added.
func (t *TSO) push(b uint64, reg, value int32) uint64 {
	n := b & (1<<countBits - 1)
	e := uint64(reg)<<t.value | uint64(value)
	return (b | e<<(countBits+uint(n)*t.entry)) + 1
}

// oldest returns the first store of a buffer that has one, and the rest.
func (t *TSO) oldest(b uint64) (reg, value int32, rest uint64) {
	n := b & (1<<countBits - 1)
	e := b >> countBits & (1<<t.entry - 1)
	rest = b>>countBits>>t.entry<<countBits | (n - 1)
	return int32(e >> t.value), int32(e & (1<<t.value - 1)), rest
}

// forwarded returns the newest value for a register in a buffer.
func (t *TSO) forwarded(b uint64, reg int32) (value int32, found bool) {
	for b&(1<<countBits-1) > 0 {
		r, v, rest := t.oldest(b)
		if r == reg {
			value, found = v, true
		}
		b = rest
	}
	return value, found
}

// Expand makes each process's next access, and moves each buffer's oldest
// store to memory.
func (t *TSO) Expand(from, out []uint64) (enabled uint64, bad Bad) {
	critical := 0
	for pid := range t.Model.N {
		f := t.Procs[pid]
		s := f.Of(from)
		l := &t.local[pid][s]
		if l.critical {
			critical++
		}
		if l.crash {
			bad |= Crash
		}
		b := from[t.words+pid]
		if b != 0 {
			reg, value, rest := t.oldest(b)
			to := out[(t.Model.N+pid)*t.Words():][:t.Words()]
			copy(to, from)
			t.set(to, reg, value)
			to[t.words+pid] = rest
			enabled |= 1 << (t.Model.N + pid)
		}
		if l.base < 0 {
			continue
		}
		to := out[pid*t.Words():][:t.Words()]
		copy(to, from)
		if t.step(pid, s, l, b, from, to) {
			enabled |= 1 << pid
		}
		if t.Missing.Load() {
			return 0, Stop
		}
	}
	if critical > 1 {
		bad |= Exclusion
	}
	if t.plain && t.race(from) {
		bad |= Race
	}
	return enabled, bad
}

// step makes a process's access, unless it has to wait for its buffer.
func (t *TSO) step(pid int, s int32, l *local, b uint64, from, to []uint64) bool {
	moves := t.Model.Procs[pid].Local[s].Moves
	v := l.reg.Of(from)
	var m automaton.Move
	switch {
	case l.kind == 0:
		m = moves[v]
	case l.kind&automaton.Writes == 0:
		if own, found := t.forwarded(b, l.register); found {
			v = own
		}
		m = moves[v]
	case l.kind&automaton.Reads == 0 && t.buffered(pid, s):
		if b&(1<<countBits-1) == t.capacity {
			return false
		}
		if m = moves[v]; m.Value != automaton.Unknown {
			to[t.words+pid] = t.push(b, l.register, m.Value)
		}
	default:
		if b != 0 {
			return false
		}
		if m = moves[v]; m.Value != automaton.Unknown {
			t.set(to, l.register, m.Value)
		}
	}
	if m.Value == automaton.Unknown {
		t.Missing.Store(true)
		return false
	}
	f := t.Procs[pid]
	to[f.Word] = to[f.Word]&^(f.Mask<<f.Shift) | uint64(m.State)<<f.Shift
	return true
}

func (t *TSO) set(to []uint64, reg, value int32) {
	f := t.Regs[reg]
	to[f.Word] = to[f.Word]&^(f.Mask<<f.Shift) | uint64(value)<<f.Shift
}
