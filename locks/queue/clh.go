package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var craig = shm.Source{
	Author: "Travis S. Craig",
	Title:  "Building FIFO and Priority-Queuing Spin Locks from Atomic Swap",
	Venue:  "University of Washington, TR 93-02-02",
	Year:   1993,
}

// CLH returns the specification of the CLH lock for a layout of its queue nodes and for its
// stores.
func CLH(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/clh",
		Title:  "CLH list lock",
		Source: craig,
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
			{Name: "locked", Count: shm.NPlus1, Values: shm.Const(2)},
		},
		Invariants: clhInvariants,
	}.Built(layout, stores, buildCLH)
}

// CLHMutex is the list lock of Craig, found independently by Magnusson, Landin and Hagersten,
// who call it LH. Each process spins on the node of its predecessor, and takes over that node
// in its exit section.
//
// Source: Travis S. Craig, "Building FIFO and Priority-Queuing Spin Locks from
// Atomic Swap", University of Washington TR 93-02-02, 1993; Peter Magnusson,
// Anders Landin and Erik Hagersten, "Queue Locks on Cache Coherent
// Multiprocessors", IPPS 1994, p. 165-171.
//
// Registers: tail, the last node of the queue, swapped by all; locked, a bit
// in each of the n+1 nodes, set and cleared by the process that has the node.
//
// Properties: mutual exclusion, because a process enters when its predecessor in the order of
// line 2 has left. First-come-first-served in that order, so the bypass is n-1 and no process
// starves. The exit section is one write.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i, whose node is I:
//	1  I.locked := true
//	2  pred := swap(tail, I)
//	3  wait until not pred.locked
//	exit section:
//	4  I.locked := false
//	5  I := pred
//
// Released stores: line 1, which line 2, a swap, takes to memory before any process can reach
// the node; line 4, which no access of the critical section can pass, and which keeps the
// successor waiting until it is visible. The process's next passage has another node, and
// comes after line 4 in memory.
//
// Deviations: the paper's pointers to nodes are numbers: an atomic swap of a pointer takes
// twice as long in Go, because the garbage collector must be told. Line 5, which is not
// visible to other processes, is delayed until the next passage, so that the exit section is
// one store.
type CLHMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // a node
	_        shm.Pad
	released bool
	node     shm.Array[clhNode]
	private  shm.Array[clhPrivate] // private[i] is used by process i only
}

type clhNode struct{ locked register.Bool }

type clhPrivate struct {
	I    uint32
	pred uint32 // and from the end of the passage on, by line 5, I of the next
}

// NewCLH returns a CLH lock for n processes, or a *shm.ProcsError.
func NewCLH(n int, layout shm.Layout, stores shm.Stores) (*CLHMutex, error) {
	return shm.New[*CLHMutex](CLH(layout, stores), n)
}

func buildCLH(b shm.Build) shm.Mutex {
	l := &CLHMutex{
		released: b.Released,
		node:     shm.NewArray[clhNode](b.N+1, b.Layout),
		private:  shm.NewArray[clhPrivate](b.N, shm.Padded),
	}
	for i := range b.N {
		l.private.At(i).pred = uint32(i)
	}
	l.tail.Store(uint32(b.N))
	return l
}

// Lock acquires the lock for process i.
func (l *CLHMutex) Lock(i int) {
	p, node := l.private.At(i), l.node
	I := p.pred                                             // 5, of the passage before
	node.At(int(I)).locked.StoreReleaseIf(l.released, true) // 1
	p.I = I
	p.pred = l.tail.Swap(I) // 2
	pred := node.At(int(p.pred))
	spin.Until(func() bool { return !pred.locked.Load() }) // 3
}

// Unlock releases the lock for process i.
func (l *CLHMutex) Unlock(i int) {
	l.node.At(int(l.private.At(i).I)).locked.StoreReleaseIf(l.released, false) // 4
}
