package queue

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var andersonSource = shm.Source{
	Author: "Thomas E. Anderson",
	Title:  "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors",
	Venue:  "IEEE Transactions on Parallel and Distributed Systems 1(1)",
	Year:   1990,
	Page:   "6-16",
}

// Anderson returns the specification of Anderson's array lock for a layout of its slots and
// for its stores.
func Anderson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/anderson",
		Title:  "Anderson's array lock",
		Source: andersonSource,
		Class:  shm.FetchAndAdd,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "hasLock", Count: shm.Formula{Text: "2^ceil(log2 n)", At: slots}, Values: shm.Const(2)},
			{Name: "queueLast", Count: shm.Const(1)},
		},
		Invariants: []shm.Invariant{andersonInvariant},
	}.Built(layout, stores, buildAnderson)
}

// AndersonMutex is Anderson's array lock. The waiting processes stand in a ring of slots. Each
// spins on its own slot, and the exit section sets the next one.
//
// Source: Thomas E. Anderson, "The Performance of Spin Lock Alternatives for
// Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990, p. 6-16.
//
// Registers: hasLock[s], a bit for each slot, cleared by the process that takes the slot and
// set by the process of the slot before it; queueLast, an integer that all processes
// increment.
//
// Properties: mutual exclusion, because at most one slot has the lock. First-come-first-served
// in the order of line 1, so the bypass is n-1 and no process starves. A waiting process spins
// on a register that is written once meanwhile.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  myPlace := fetch-and-increment(queueLast)
//	2  wait until hasLock[myPlace mod slots]
//	3  hasLock[myPlace mod slots] := false
//	exit section of process i:
//	4  hasLock[(myPlace + 1) mod slots] := true
//
// Released stores: line 4, which no access of the critical section can pass, and which keeps
// the next process waiting until it is visible; line 3, which is visible before line 4 of the
// same passage, and so before any process can set that slot again.
//
// Deviations: the number of slots is a power of two, at least n, so that an overflow of
// queueLast does not break the ring.
type AndersonMutex struct {
	_         shm.NoCopy
	released  bool
	mask      uint32            // slots - 1
	myPlace   shm.Array[uint32] // myPlace[i] is private to process i
	hasLock   shm.Array[register.Bool]
	queueLast *atomic.Uint32
}

// NewAnderson returns an array lock for n processes, or a *shm.ProcsError.
func NewAnderson(n int, layout shm.Layout, stores shm.Stores) (*AndersonMutex, error) {
	return shm.New[*AndersonMutex](Anderson(layout, stores), n)
}

func buildAnderson(b shm.Build) shm.Mutex {
	queueLast := shm.NewArray[atomic.Uint32](1, b.Layout)
	l := &AndersonMutex{
		released:  b.Released,
		mask:      uint32(slots(b.N) - 1),
		myPlace:   shm.NewArray[uint32](b.N, shm.Padded),
		hasLock:   shm.NewArray[register.Bool](slots(b.N), b.Layout),
		queueLast: queueLast.At(0),
	}
	l.hasLock.At(0).Store(true)
	return l
}

// Lock acquires the lock for process i.
func (l *AndersonMutex) Lock(i int) {
	mine, slots, mask := l.myPlace.At(i), l.hasLock, l.mask
	myPlace := (l.queueLast.Add(1) - 1) & mask // 1
	*mine = myPlace
	hasLock := slots.At(int(myPlace))
	spin.Until(func() bool { return hasLock.Load() }) // 2
	hasLock.StoreReleaseIf(l.released, false)         // 3
}

// Unlock releases the lock for process i.
func (l *AndersonMutex) Unlock(i int) {
	next := (*l.myPlace.At(i) + 1) & l.mask
	l.hasLock.At(int(next)).StoreReleaseIf(l.released, true) // 4
}

// slots is the least power of two that is at least n.
func slots(n int) int { return 1 << bits.Len(uint(n-1)) }

// andersonInvariant: one slot has the right to enter, or one process has taken it and is in
// its critical section.
var andersonInvariant = shm.Invariant{Name: "token", Source: andersonSource, Holds: func(v shm.View) error {
	set, inside := 0, shm.In(v, shm.Critical)
	for slot := range slots(v.N()) {
		if v.Bool("hasLock", slot) {
			set++
		}
	}
	if set+inside != 1 {
		return fmt.Errorf("slots that are set: %d, processes in their critical sections: %d", set, inside)
	}
	return nil
}}
