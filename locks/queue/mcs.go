package queue

import (
	"fmt"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// MCS returns the specification of the MCS lock for a layout of its queue nodes and for its
// stores.
func MCS(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/mcs",
		Title:  "MCS list lock",
		Source: scalable,
		Class:  shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Mixed: shm.Mixed{
				DeadlockFree: true,
				Writers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"},
				WaitFreeTry:  true,
			},
		},
		Space: shm.Space{
			{Name: "l", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "locked", Count: shm.N, Values: shm.Const(2)},
		},
		Invariants: mcsInvariants,
	}.Built(layout, stores, buildMCS)
}

// MCSMutex is the list lock of Mellor-Crummey and Scott. The waiting processes form a linked
// list. Each spins on its own node, and the exit section releases the successor.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Algorithms for
// Scalable Synchronization on Shared-Memory Multiprocessors", ACM TOCS 9(1),
// 1991, p. 21-65, figure 5 (p. 30).
//
// Registers: l, the last node of the list or nil, swapped by all; for each process a node
// with next and locked. The owner clears next, and the successor writes it. The owner sets
// locked, and the predecessor clears it.
//
// Properties: mutual exclusion, because only the first node of the
// list is not locked. First-come-first-served in the order of line
// 2, so the bypass is n-1 and no process starves. A process spins
// on its own node only, and so locally also without caches. The
// exit section may wait on line 8 for a successor that is between
// lines 2 and 5. So it waits for a bounded number of the
// successor's steps.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  pred := swap(l, I)
//	3  if pred is not nil then
//	4      I.locked := true
//	5      pred.next := I
//	6      wait until not I.locked
//	exit section:
//	7  if I.next = nil then if compare-and-swap(l, I, nil) succeeds then return
//	8  wait until I.next is not nil
//	9  I.next.locked := false
//	try, which joins an empty list only:
//	10 I.next := nil
//	11 return whether compare-and-swap(l, nil, I) succeeds
//
// Released stores: lines 1, 4 and 10, which are visible before the process's own lines 2, 5
// and 11 let any process reach the node; line 5, which keeps the predecessor on line 8 until
// it is visible; line 9, which no access of the critical section can pass, and which keeps the
// successor waiting until it is visible.
//
// Deviations: the paper passes the node as an argument. Here each process has its own node,
// found by its id. Pointers are numbers, 0 for nil and i+1 for the node of process i: an
// atomic swap of a pointer takes twice as long in Go, because the garbage collector must be
// told. Lines 10 and 11 are folklore.
type MCSMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	l        atomic.Uint32 // none, or i+1 for the node of process i
	_        shm.Pad
	released bool
	node     shm.Array[mcsNode]
}

type mcsNode struct {
	next   register.Uint32 // as l
	locked register.Bool
}

// none is no node.
const none = 0

// NewMCS returns an MCS lock for n processes, or a *shm.ProcsError.
func NewMCS(n int, layout shm.Layout, stores shm.Stores) (*MCSMutex, error) {
	return shm.New[*MCSMutex](MCS(layout, stores), n)
}

func buildMCS(b shm.Build) shm.Mutex {
	return &MCSMutex{released: b.Released, node: shm.NewArray[mcsNode](b.N, b.Layout)}
}

// Lock acquires the lock for process i.
func (l *MCSMutex) Lock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	node.next.StoreReleaseIf(l.released, none) // 1
	pred := l.l.Swap(I)                        // 2
	if pred != none {                          // 3
		node.locked.StoreReleaseIf(l.released, true)              // 4
		l.node.At(int(pred-1)).next.StoreReleaseIf(l.released, I) // 5
		spin.Until(func() bool { return !node.locked.Load() })    // 6
	}
}

// TryLock acquires the lock if no process is in the list.
func (l *MCSMutex) TryLock(i int) bool {
	l.node.At(i).next.StoreReleaseIf(l.released, none) // 10
	return l.l.CompareAndSwap(none, uint32(i+1))       // 11
}

// Unlock releases the lock for process i.
func (l *MCSMutex) Unlock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	if node.next.Load() == none && l.l.CompareAndSwap(I, none) { // 7
		return
	}
	spin.Until(func() bool { return node.next.Load() != none }) // 8
	next := l.node.At(int(node.next.Load() - 1))
	next.locked.StoreReleaseIf(l.released, false) // 9
}

// Alone reports to process i, which holds the lock, whether no process is linked behind it.
func (l *MCSMutex) Alone(i int) bool {
	return l.node.At(i).next.Load() == none
}

var mcsInvariants = []shm.Invariant{
	// l is nil if, and only if, no process is in the queue.
	{Name: "tail", Source: scalable, Holds: func(v shm.View) error {
		tail, queued := v.Int("l"), shm.In(v, shm.Waiting, shm.Critical, shm.Exit)
		if (tail == none) != (queued == 0) {
			return fmt.Errorf("l = %d, processes in the queue: %d", tail, queued)
		}
		return nil
	}},
	// While the queue is not empty, exactly one process has the right to enter: it is in its
	// critical or exit section, or it waits on line 6 and has been released.
	{Name: "token", Source: scalable, Holds: func(v shm.View) error {
		holders := shm.In(v, shm.Critical, shm.Exit)
		for i := range v.N() {
			if v.At(i, "6") && !v.Bool("node.locked", i) {
				holders++
			}
		}
		if tail := v.Int("l"); holders > 1 || (holders == 1) != (tail != none) {
			return fmt.Errorf("l = %d, processes with the right to enter: %d", tail, holders)
		}
		return nil
	}},
}

// Held reports whether a process is in the list: it holds the lock, waits for it, or leaves
// it.
func (l *MCSMutex) Held() bool {
	return l.l.Load() != none
}
