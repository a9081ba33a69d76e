package queue

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var hapaxLocks = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "Hapax Locks: Scalable Value-Based Mutual Exclusion",
	Venue:  "PPoPP",
	Year:   2026,
	Page:   "13-25",
}

// Hapax returns the specification of the hapax lock for a layout of its registers and for its
// stores.
func Hapax(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:          "queue/hapax",
		Title:         "Hapax lock",
		Source:        hapaxLocks,
		Reconstructed: true,
		Class:         shm.Swap | shm.FetchAndAdd,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "allocator", Count: shm.Const(1)},
			{Name: "arrive", Count: shm.Const(1)},
			{Name: "depart", Count: shm.Const(1)},
		},
	}.Built(layout, stores, buildHapax)
}

// HapaxMutex is the hapax lock, a queue of values. Each value is used once, so that no memory
// has to be reclaimed or returned.
//
// Source: Dave Dice and Alex Kogan, "Hapax Locks: Scalable Value-Based Mutual Exclusion",
// PPoPP 2026, p. 13-25; arXiv:2511.14608. This lock is reconstructed from secondary sources.
//
// Registers: allocator, an integer that gives out values, incremented by all; arrive, the
// value of the latest arrival, swapped by all; depart, the value of the latest departure,
// written by the exit section.
//
// Properties: mutual exclusion, because a process enters when its predecessor in the order
// of line 2 has left. No process but the predecessor ever writes its value to depart.
// First-come-first-served in that order, so the bypass is n-1 and no process starves. The
// entry section waits on one line, and the exit section is one write.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i:
//	1  h := fetch-and-increment(allocator) + 1
//	2  pred := swap(arrive, h)
//	3  wait until depart = pred
//	exit section of process i:
//	4  depart := h
//
// Released stores: line 4, which no access of the critical section can pass, and which keeps
// the next process waiting until it is visible.
//
// Deviations: there is no waiting array. In the paper a waiting process waits in one of 4,096
// slots, which are shared by all locks of a program; a hash of the value and of the lock
// chooses the slot. Here all processes wait at depart. So each exit invalidates the cached
// copies of all waiting processes, up to n-1 in a passage instead of mostly a constant number.
// In the paper one allocator serves all locks of a program, and a thread takes a block of 2^16
// values at a time. Here each lock has its own allocator, and processes take values one by
// one. Values have 64 bits.
type HapaxMutex struct {
	_         shm.NoCopy
	released  bool
	allocator *register.Uint64
	arrive    *register.Uint64
	depart    *register.Uint64
	drawn     shm.Array[uint64] // drawn[i], the value h of process i, is private to it
}

// NewHapax returns a hapax lock for n processes, or a *shm.ProcsError.
func NewHapax(n int, layout shm.Layout, stores shm.Stores) (*HapaxMutex, error) {
	return shm.New[*HapaxMutex](Hapax(layout, stores), n)
}

func buildHapax(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint64](3, b.Layout)
	return &HapaxMutex{
		released:  b.Released,
		allocator: r.At(0),
		arrive:    r.At(1),
		depart:    r.At(2),
		drawn:     shm.NewArray[uint64](b.N, shm.Padded),
	}
}

// Lock acquires the lock for process i.
func (l *HapaxMutex) Lock(i int) {
	pred := l.enqueue(i)
	spin.Until(func() bool { return l.depart.Load() == pred }) // 3
}

// enqueue is lines 1 and 2. It returns pred.
func (l *HapaxMutex) enqueue(i int) uint64 {
	h := l.allocator.Add(1) // 1
	*l.drawn.At(i) = h
	return l.arrive.Swap(h) // 2
}

// Unlock releases the lock for process i.
func (l *HapaxMutex) Unlock(i int) {
	l.depart.StoreReleaseIf(l.released, *l.drawn.At(i)) // 4
}
