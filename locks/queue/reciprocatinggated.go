package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// ReciprocatingGated returns the specification of the gated reciprocating lock for a layout of
// its registers and for its stores.
func ReciprocatingGated(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/reciprocatinggated",
		Title:  "Gated reciprocating lock",
		Source: reciprocatingLocks,
		Class:  shm.Swap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         reciprocalBypass,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "arrivals", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "eos", Count: shm.N, Values: shm.N},
			{Name: "gate", Count: shm.Const(1), Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildReciprocatingGated)
}

// ReciprocatingGatedMutex is the reciprocating lock with a gate. The first process of a stack
// is its leader, and opens the stack when all processes of the previous stack have left.
//
// Source: Dave Dice and Alex Kogan, "Reciprocating Locks", arXiv:2501.02380, 2025,
// listing 8, which is not in the version of PPoPP 2025.
//
// Registers: arrivals, the youngest process that has arrived since the last stack was taken,
// or nil, swapped by all; eos[e], which an exit section writes for process e: the end of the
// stack that is being served, or nil; gate, a bit that is set while a stack is served, set by
// the leader of the stack and cleared by its last process.
//
// Properties: mutual exclusion, a bypass of 2n-3, and starvation freedom, as in the
// reciprocating lock and for the same reasons. A process spins on its own register, except
// that a leader spins on gate, alone. The exit section is one write, and no compare-and-swap
// is needed.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i, whose name is e:
//	1  eos[e] := nil; end := e
//	2  prv := swap(arrivals, e)
//	3  if prv is not nil then wait until eos[e] is not nil; end := eos[e]
//	4  else wait until not gate
//	5      gate := true
//	6      prv := swap(arrivals, nil)
//	exit section of process i:
//	7  if prv is not end then eos[prv] := end
//	8  else gate := false
//
// Released stores: line 1, which line 2, a swap, takes to memory; line 5, which line 6 takes
// there before any process can lead another stack; lines 7 and 8, which no access of the
// critical section can pass, and keep the next process waiting until they are visible.
//
// Deviations: pointers to elements are numbers.
type ReciprocatingGatedMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	arrivals atomic.Uint32 // none, or i+1 for process i
	_        shm.Pad
	gate     register.Bool
	_        shm.Pad
	released bool
	eos      shm.Array[register.Uint32] // as arrivals
	private  shm.Array[gated]           // private[i] is used by process i only
}

// gated is the local state of a process between its entry and its exit section.
type gated struct{ prv, end uint32 }

// NewReciprocatingGated returns the lock for n processes, or a *shm.ProcsError.
func NewReciprocatingGated(n int, layout shm.Layout, stores shm.Stores) (*ReciprocatingGatedMutex, error) {
	return shm.New[*ReciprocatingGatedMutex](ReciprocatingGated(layout, stores), n)
}

func buildReciprocatingGated(b shm.Build) shm.Mutex {
	return &ReciprocatingGatedMutex{
		released: b.Released,
		eos:      shm.NewArray[register.Uint32](b.N, b.Layout),
		private:  shm.NewArray[gated](b.N, shm.Padded),
	}
}

// Lock acquires the lock for process i.
func (l *ReciprocatingGatedMutex) Lock(i int) {
	e, eos := uint32(i+1), l.eos.At(i)
	eos.StoreReleaseIf(l.released, none) // 1
	end := e
	prv := l.arrivals.Swap(e) // 2
	if prv != none {
		spin.Until(func() bool { end = eos.Load(); return end != none }) // 3
	} else {
		spin.Until(func() bool { return !l.gate.Load() }) // 4
		l.gate.StoreReleaseIf(l.released, true)           // 5
		prv = l.arrivals.Swap(none)                       // 6
	}
	*l.private.At(i) = gated{prv, end}
}

// Unlock releases the lock for process i.
func (l *ReciprocatingGatedMutex) Unlock(i int) {
	p := *l.private.At(i)
	if p.prv != p.end {
		l.eos.At(int(p.prv-1)).StoreReleaseIf(l.released, p.end) // 7
	} else {
		l.gate.StoreReleaseIf(l.released, false) // 8
	}
}
