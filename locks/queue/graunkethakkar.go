package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var graunke = shm.Source{
	Author: "Gary Graunke and Shreekant Thakkar",
	Title:  "Synchronization Algorithms for Shared-Memory Multiprocessors",
	Venue:  "IEEE Computer 23(6)",
	Year:   1990,
	Page:   "60-69",
}

// GraunkeThakkar returns the specification of Graunke and Thakkar's lock for a layout of its
// slots and for its stores.
func GraunkeThakkar(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/graunkethakkar",
		Title:  "Graunke and Thakkar's lock",
		Source: graunke,
		Class:  shm.Swap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "slots", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "tail", Count: shm.Const(1), Values: shm.Formula{Text: "2n", At: func(n int) int { return 2 * n }}},
		},
	}.Built(layout, stores, buildGraunkeThakkar)
}

// GraunkeThakkarMutex is the lock of Graunke and Thakkar. Each process spins on the bit of its
// predecessor, which flips it in its exit section.
//
// Source: Gary Graunke and Shreekant Thakkar, "Synchronization Algorithms for
// Shared-Memory Multiprocessors", IEEE Computer 23(6), 1990, p. 60-69; restated by John M. Mellor-Crummey and Michael L. Scott,
// "Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors", ACM
// TOCS 9(1), 1991, p. 21-65.
//
// Registers: slots[i], a bit, written by process i; tail, swapped by all: the last process of
// the queue, and the value that its bit has until it leaves.
//
// Properties: mutual exclusion, because a process enters when its predecessor in the order of
// line 2 has left. First-come-first-served in that order, so the bypass is n-1 and no process
// starves. A process cannot flip its bit back before its successor has seen it, because it
// would have to pass through the queue behind that successor. The exit section is one write.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i:
//	1  b := slots[i]
//	2  (ahead, locked) := swap(tail, (i, b))
//	3  wait until slots[ahead] is not locked
//	exit section of process i:
//	4  slots[i] := not slots[i]
//
// At first tail is (0, not slots[0]): the lock is free.
//
// Released stores: line 4, which no access of the critical section can pass, and which keeps
// the successor waiting until it is visible. The process's next passage reads it from its own
// buffer, and line 2, a swap, takes it to memory.
//
// Deviations: process and bit are one number, 2*process + bit.
type GraunkeThakkarMutex struct {
	_        shm.NoCopy
	released bool
	slots    shm.Array[register.Uint32]
	tail     *atomic.Uint32
}

// NewGraunkeThakkar returns the lock for n processes, or a *shm.ProcsError.
func NewGraunkeThakkar(n int, layout shm.Layout, stores shm.Stores) (*GraunkeThakkarMutex, error) {
	return shm.New[*GraunkeThakkarMutex](GraunkeThakkar(layout, stores), n)
}

func buildGraunkeThakkar(b shm.Build) shm.Mutex {
	tail := shm.NewArray[atomic.Uint32](1, b.Layout)
	l := &GraunkeThakkarMutex{
		released: b.Released,
		slots:    shm.NewArray[register.Uint32](b.N, b.Layout),
		tail:     tail.At(0),
	}
	l.tail.Store(1)
	return l
}

// Lock acquires the lock for process i.
func (l *GraunkeThakkarMutex) Lock(i int) {
	b := l.slots.At(i).Load()            // 1
	last := l.tail.Swap(2*uint32(i) + b) // 2
	ahead, locked := l.slots.At(int(last/2)), last%2
	spin.Until(func() bool { return ahead.Load() != locked }) // 3
}

// Unlock releases the lock for process i.
func (l *GraunkeThakkarMutex) Unlock(i int) {
	slot := l.slots.At(i)
	slot.StoreReleaseIf(l.released, 1-slot.Load()) // 4
}
