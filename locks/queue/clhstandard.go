package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// scott is the book that restates the queue locks in one notation.
var scott = shm.Source{
	Author: "Michael L. Scott",
	Title:  "Shared-Memory Synchronization",
	Venue:  "Synthesis Lectures on Computer Architecture, Morgan & Claypool",
	Year:   2013,
}

// CLHStandard returns the specification of the CLH lock with the standard interface, for a
// layout of its queue nodes and for its stores.
func CLHStandard(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/clhstandard",
		Title:  "CLH list lock with the standard interface",
		Source: scott,
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
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "head", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "locked", Count: shm.NPlus1, Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildCLHStandard)
}

// CLHStandardMutex is the CLH lock as Scott states it for an interface without queue nodes.
// The lock remembers the holder's node for the exit section.
//
// Source: Michael L. Scott, "Shared-Memory Synchronization", Morgan & Claypool,
// 2013, figure 4.14.
//
// Registers: tail, the last node of the queue, swapped by all; head, the holder's
// node, written by the holder; locked, a bit in each of the n+1 nodes, set and
// cleared by the process that has the node.
//
// Properties: mutual exclusion, and first-come-first-served order by line 2, as in CLH, so
// that the bypass is n-1 and no process starves. The exit section is one write. A process may
// take over its predecessor's node before its wait there ends, because it does not use the
// node before it leaves.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i, whose node is I:
//	1  p := I; p.locked := true
//	2  pred := swap(tail, p); I := pred
//	3  wait until not pred.locked
//	4  head := p
//	exit section:
//	5  head.locked := false
//
// Released stores: line 1, which line 2, a swap, takes to memory before any process can
// reach the node; line 4, which only the holder reads; line 5, which no access of the
// critical section can pass, and which reaches memory after line 4. Line 5 keeps the
// successor waiting until it is visible.
//
// Deviations: pointers to nodes are numbers.
type CLHStandardMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // a node
	_        shm.Pad
	head     register.Uint32 // a node
	_        shm.Pad
	released bool
	node     shm.Array[clhNode]
	own      shm.Array[uint32] // own[i], the node I of process i, is private to it
}

// NewCLHStandard returns the lock for n processes, or a *shm.ProcsError.
func NewCLHStandard(n int, layout shm.Layout, stores shm.Stores) (*CLHStandardMutex, error) {
	return shm.New[*CLHStandardMutex](CLHStandard(layout, stores), n)
}

func buildCLHStandard(b shm.Build) shm.Mutex {
	l := &CLHStandardMutex{
		released: b.Released,
		node:     shm.NewArray[clhNode](b.N+1, b.Layout),
		own:      shm.NewArray[uint32](b.N, shm.Padded),
	}
	for i := range b.N {
		*l.own.At(i) = uint32(i)
	}
	l.tail.Store(uint32(b.N))
	return l
}

// Lock acquires the lock for process i.
func (l *CLHStandardMutex) Lock(i int) {
	p := *l.own.At(i)
	l.node.At(int(p)).locked.StoreReleaseIf(l.released, true) // 1
	I := l.tail.Swap(p)                                       // 2
	*l.own.At(i) = I
	pred := l.node.At(int(I))
	spin.Until(func() bool { return !pred.locked.Load() }) // 3
	l.head.StoreReleaseIf(l.released, p)                   // 4
}

// Unlock releases the lock for any process.
func (l *CLHStandardMutex) Unlock(int) {
	l.node.At(int(l.head.Load())).locked.StoreReleaseIf(l.released, false) // 5
}
