package explore

import (
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
	*buffers
	buffered [][]bool // by process and local state: it makes a store that goes into the buffer
	// Full is set when a process has had to wait for room in its buffer.
	Full atomic.Bool
}

// NewTSO returns the model with buffers of 1 to 255 stores, into
// which the stores go that buffered holds for.
func NewTSO(s *SC, capacity int, buffered func(pid int, local int32) bool) *TSO {
	values := 1
	for _, r := range s.Model.Regs {
		values = max(values, len(r.Values))
	}
	width := func(count int) uint { return uint(bits.Len(uint(count - 1))) }
	t := &TSO{SC: s, buffers: newBuffers(s.Model.N, s.words, capacity, width(len(s.Model.Regs)), width(values))}
	for pid, proc := range s.Model.Procs {
		intoBuffer := make([]bool, len(proc.Local))
		for i, l := range proc.Local {
			intoBuffer[i] = l.Kind&automaton.Writes != 0 && l.Kind&automaton.Reads == 0 && buffered(pid, int32(i))
		}
		t.buffered = append(t.buffered, intoBuffer)
	}
	return t
}

// Buffers reports whether a process makes a store in a local state that goes into its buffer.
func (t *TSO) Buffers(pid int, local int32) bool { return t.buffered[pid][local] }

// Words returns the length of a state: that of the system and the buffers.
func (t *TSO) Words() int { return t.SC.words + t.buffers.words() }

// Actors returns the number of processes and buffers, times that of outcomes.
func (t *TSO) Actors() int { return t.Parties() * t.outcomes }

// Parties returns the number of processes and buffers.
func (t *TSO) Parties() int { return 2 * t.Model.N }

// Sees returns the number of the value that the next access of a process finds.
func (t *TSO) Sees(s []uint64, pid int) int32 {
	l := &t.local[pid][t.Procs[pid].Of(s)]
	return t.sees(s, pid, l.kind, l.register, l.reg.Of(s))
}

// Expand makes each process's next access, and moves each buffer's oldest
// store to memory.
func (t *TSO) Expand(from, out []uint64) (enabled uint64, bad Bad) {
	words := t.Words()
	for pid := range t.Model.N {
		if !t.empty(from, pid) {
			to := out[(t.Model.N+pid)*words:][:words]
			copy(to, from)
			reg, value := t.pop(to, pid)
			t.Regs[reg].set(to, value)
			enabled |= 1 << (t.Model.N + pid)
		}
		s := t.Procs[pid].Of(from)
		l := &t.local[pid][s]
		switch l.base {
		case none:
		case lacks:
			bad |= Missing
		case decides:
			enabled |= t.decide(pid, from, out, words, t.Parties())
		default:
			to := out[pid*words:][:words]
			copy(to, from)
			made, missing := t.step(pid, s, l, from, to)
			if made {
				enabled |= 1 << pid
			}
			bad |= missing
		}
	}
	if t.Model.Heap != nil {
		t.collect(enabled, out, words, t.used)
	}
	return enabled, bad | t.judge(from)
}

// used returns the slots that are in use in a state: what a buffered store leads to is,
// although others cannot find it yet.
func (t *TSO) used(s []uint64) uint64 {
	return t.reach(s, t.held(s)|t.leads(s, t.Model.Heap))
}

// step makes a process's access, unless it has to wait for its buffer, or would
// leave a value that the model lacks.
func (t *TSO) step(pid int, s int32, l *local, from, to []uint64) (made bool, bad Bad) {
	auto := &t.Model.Procs[pid].Local[s]
	intoBuffer := t.buffered[pid][s]
	if t.waits(from, pid, l.kind, intoBuffer) {
		if intoBuffer {
			t.Full.Store(true)
		}
		return false, 0
	}
	m := auto.Moves[t.sees(from, pid, l.kind, l.register, l.reg.Of(from))]
	if l.base == shares {
		// The memory is there from now on. Others find it only when the address has
		// left the buffer.
		known := false
		if m, known = t.shares(pid, auto, m, to, func() uint64 { return t.used(from) }); !known {
			return false, Missing
		}
	}
	switch {
	case m.Value == automaton.Unknown:
		return false, Missing
	case intoBuffer:
		t.push(to, pid, l.register, m.Value)
	case l.kind&automaton.Writes != 0:
		t.Regs[l.register].set(to, m.Value)
	}
	t.Procs[pid].set(to, m.State)
	return true, 0
}
