package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// multiprocessor is a book that has TOLock and CompositeLock.
var multiprocessor = shm.Source{
	Author: "Maurice Herlihy and Nir Shavit",
	Title:  "The Art of Multiprocessor Programming",
	Venue:  "Morgan Kaufmann",
	Year:   2008,
}

// TOLock is the specification of the CLH lock with timeout of Herlihy and Shavit's book.
var TOLock = shm.Algorithm{
	Name:   "abort/tolock",
	Title:  "TOLock, CLH lock with timeout over a garbage collector",
	Source: multiprocessor,
	Class:  shm.Swap | shm.CompareAndSwap,
	Claims: shm.Claims{
		DeadlockFree:   true,
		StarvationFree: true,
		Bypass:         shm.NMinus1,
		FCFS:           true,
		Doorway:        "2",
		LocalSpin:      shm.LocalSpin{CC: true},
		Mixed: shm.Mixed{
			DeadlockFree:  true,
			Writers:       shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"},
			WaitFreeAbort: true,
		},
	},
	Space: shm.Space{
		{Name: "tail", Count: shm.Const(1)},
		{Name: "pred", SingleWriter: true},
	},
}.Built(shm.Padded, shm.Sequential, buildTOLock)

// TOLockMutex is a CLH lock with timeout that takes a new node for each attempt and leaves
// the old nodes to the garbage collector.
//
// Source: Maurice Herlihy and Nir Shavit, "The Art of Multiprocessor Programming", 2008,
// chapter 7, after Michael L. Scott and William N. Scherer III, PPoPP 2001. Written after
// src/TimeoutLock/CLHTOLock.java of github.com/Jiqing-Huang/ConcObjects, commit 5314273, which
// has the names of the book. The book was not read.
//
// Registers: tail, the last node of the queue or nil, swapped by all; for each attempt a
// node of one word, pred, which its owner writes: nil while the process waits or is in its
// critical section, available when it has left, or the node before it when it gave up.
//
// Properties: first-come-first-served in the order of line 2, because a process enters when
// the nearest node before it whose owner did not give up is available. So the bypass is n-1
// and no process starves, also among processes that give up. A process that gives up needs
// no other process: it takes its node from the end of the queue, or leaves in it the way to
// its predecessor. An attempt that fails loses its place.
//
// Each failed attempt can leave a node that a later node leads to. Two processes that give
// up in turns, each after it has read nil on line 3, build a chain of any length. So the
// number of nodes is unbounded, and the check of timed passages is within two passages of
// each process; three passages of two processes hold as well (3,996 states).
//
// The doorway is lines 1 and 2.
//
//	timed entry section of process i:
//	1  I := a new node, I.pred = nil
//	2  p := swap(tail, I); if p = nil then enter
//	3  until time is out, repeat v := p.pred; if v = available then enter; if v is a node then p := v
//	out of time:
//	4  unless compare-and-swap(tail, I, p) succeeds, I.pred := p
//	   fail
//	exit section:
//	5  unless compare-and-swap(tail, I, nil) succeeds, I.pred := available
//
// Deviations: a process is asked whether it gives up only when line 3 has read nil. The
// entry section without a time is lines 1 to 3. Lock allocates, as the book's does. There is
// no variant with release stores.
type TOLockMutex struct {
	_         shm.NoCopy
	available *toNode // what pred is when a process has left
	_         shm.Pad
	tail      atomic.Pointer[toNode]
	_         shm.Pad
	private   shm.Array[toPrivate] // private[i] is used by process i only
}

type toNode struct {
	pred atomic.Pointer[toNode] // nil, available, or the node before it
	_    shm.Pad
}

type toPrivate struct{ I *toNode }

// NewTOLock returns the lock for n processes, or a *shm.ProcsError.
func NewTOLock(n int) (*TOLockMutex, error) { return shm.New[*TOLockMutex](TOLock, n) }

func buildTOLock(b shm.Build) shm.Mutex {
	return &TOLockMutex{available: new(toNode), private: shm.NewArray[toPrivate](b.N, shm.Padded)}
}

// Lock acquires the lock for process i.
func (l *TOLockMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i and returns true, or gives up and returns
// false after giveUp has returned true.
func (l *TOLockMutex) LockUntil(i int, giveUp func() bool) bool {
	I := new(toNode)    // 1
	p := l.tail.Swap(I) // 2
	for p != nil {
		v := p.pred.Load() // 3
		if v == l.available {
			break
		}
		if v != nil {
			p = v // 3
			continue
		}
		if giveUp() {
			if !l.tail.CompareAndSwap(I, p) { // 4
				I.pred.Store(p) // 4
			}
			return false
		}
		spin.Pause()
	}
	l.private.At(i).I = I
	return true
}

// Unlock releases the lock for process i.
func (l *TOLockMutex) Unlock(i int) {
	private := l.private.At(i)
	I := private.I
	private.I = nil                     // for the garbage collector
	if !l.tail.CompareAndSwap(I, nil) { // 5
		I.pred.Store(l.available) // 5
	}
}
