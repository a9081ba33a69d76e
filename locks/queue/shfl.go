package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

var shuffling = shm.Source{
	Author: "Sanidhya Kashyap, Irina Calciu, Xiaohe Cheng, Changwoo Min and Taesoo Kim",
	Title:  "Scalable and Practical Locking with Shuffling",
	Venue:  "SOSP",
	Year:   2019,
	Page:   "586-599",
}

// Shfl is the specification of ShflLock's queue, fixed, for a layout of its nodes.
func Shfl(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:       "queue/shfl",
		Title:      "ShflLock's queue, mended",
		Source:     shuffling,
		Simplified: "the shuffling of the queue",
		Class:      shm.Swap | shm.CompareAndSwap | shm.FetchAndOr,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Doorway:        "4",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "glock", Count: shm.Const(1), Values: shm.Const(4)},
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "status", Count: shm.N, Values: shm.Const(2)},
		},
	}.Built(layout, shm.Sequential, buildShfl)
}

// ShflMutex is ShflLock without its shuffling: a test-and-set lock that an arriving process
// may take as long as no process is in the queue beside it.
//
// Source: Sanidhya Kashyap, Irina Calciu, Xiaohe Cheng, Changwoo Min and Taesoo Kim,
// "Scalable and Practical Locking with Shuffling", SOSP 2019, p. 586-599, by the
// authors' program for user space, ulocks/src/aqs.c.
//
// Registers: glock, with a bit locked, and a bit nosteal that stops an arriving process from
// taking the lock before the queue; tail, the last node of the queue or nil, swapped by all;
// for each process a node with next, as in MCS, and status, which is set when the node reaches
// the front of the queue.
//
// Properties: mutual exclusion, because an operation sets locked only if it finds it clear. No
// process starves: the queue is first-come-first-served, nosteal is set while a process is in
// it, and the front of the queue then has no competitor. But the first process of a queue has
// to set nosteal. Until then others can pass it, and all processes behind it, any number of
// times.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i, whose node is I; glock is written (nosteal, locked):
//	1  if compare-and-swap(glock, (0,0), (0,1)) succeeds then enter
//	2  I.next := nil
//	3  I.status := false
//	4  prev := swap(tail, I)
//	5  if prev = nil then set nosteal
//	6  else prev.next := I
//	7      wait until I.status
//	8  wait until not locked; set locked; if it was set then goto 8
//	9  if I.next = nil then
//	10     clear nosteal
//	11     if compare-and-swap(tail, I, nil) succeeds then enter
//	12     set nosteal
//	13     wait until I.next is not nil
//	14 I.next.status := true
//	exit section:
//	15 clear locked
//
// The caller of line 8 uses the value that it reads. Because line 10 comes where it does,
// locked is never set there: only the front of the queue can set it.
//
// There is no variant with release stores: glock has no stores.
//
// Deviations: the program clears nosteal after line 11. By then an arriving process may be
// the first of the next queue, and have set nosteal on line 5. Then this process starves
// (knownbroken/shfl-steal). Here line 10 comes before line 11, and line 12 undoes it. The
// shuffling is left out: it reorders the waiting processes so that those of one socket are
// neighbors.
type ShflMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	glock atomic.Uint32
	_     shm.Pad
	tail  atomic.Uint32 // none, or i+1 for the node of process i
	_     shm.Pad
	node  shm.Array[shflNode]
}

type shflNode struct {
	next   atomic.Uint32 // as tail
	status atomic.Bool
}

// The parts of glock.
const (
	shflLocked  = 1
	shflNoSteal = 2
)

// NewShfl returns the lock for n processes, or a *shm.ProcsError.
func NewShfl(n int, layout shm.Layout) (*ShflMutex, error) {
	return shm.New[*ShflMutex](Shfl(layout), n)
}

func buildShfl(b shm.Build) shm.Mutex {
	return &ShflMutex{node: shm.NewArray[shflNode](b.N, b.Layout)}
}

// Lock acquires the lock for process i.
func (l *ShflMutex) Lock(i int) {
	if l.glock.CompareAndSwap(0, shflLocked) { // 1
		return
	}
	I, node := uint32(i+1), l.node.At(i)
	node.next.Store(none)    // 2
	node.status.Store(false) // 3
	prev := l.tail.Swap(I)   // 4
	if prev == none {
		l.glock.Or(shflNoSteal) // 5
	} else {
		l.node.At(int(prev - 1)).next.Store(I)                // 6
		spin.Until(func() bool { return node.status.Load() }) // 7
	}
	for {
		spin.Until(func() bool { return l.glock.Load()&shflLocked == 0 }) // 8
		if l.glock.Or(shflLocked)&shflLocked == 0 {                       // 8
			break
		}
		spin.Pause()
	}
	if node.next.Load() == none { // 9
		l.glock.And(^uint32(shflNoSteal))   // 10
		if l.tail.CompareAndSwap(I, none) { // 11
			return
		}
		l.glock.Or(shflNoSteal)                                     // 12
		spin.Until(func() bool { return node.next.Load() != none }) // 13
	}
	l.node.At(int(node.next.Load() - 1)).status.Store(true) // 14
}

// Unlock releases the lock for any process.
func (l *ShflMutex) Unlock(int) {
	l.glock.And(^uint32(shflLocked)) // 15
}
