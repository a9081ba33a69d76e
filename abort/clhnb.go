package abort

import (
	"sync/atomic"

	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

// CLHNB is the card of the CLH lock with non-blocking timeout, with its nodes laid out
// as told.
func CLHNB(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:  "abort/clhnb",
		Title: "CLH lock with non-blocking timeout, CLH-NB",
		Source: shm.Source{
			Author: "Michael L. Scott",
			Title:  "Non-Blocking Timeout in Scalable Queue-Based Spin Locks",
			Venue:  "21st ACM Symposium on Principles of Distributed Computing",
			Year:   2002,
			Page:   "31-40",
		},
		Class:    shm.Swap | shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: 2,
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
			{Name: "tail", Count: shm.Const(1), Values: poolsAnd(1)},
			{Name: "prev", Count: poolsAnd(0), Values: poolsAnd(2)},
			{Name: "allocated", Count: poolsAnd(0), Values: shm.Const(2)},
		},
		Layout: layout,
		New:    func(n int) (shm.Mutex, error) { return NewCLHNB(n, layout) },
	}
}

// poolsAnd is the number of nodes, and some more.
func poolsAnd(more int) shm.Formula {
	return shm.Formula{Text: map[int]string{0: "3n", 1: "3n+1", 2: "3n+2"}[more], At: func(n int) int { return pool*n + more }}
}

// CLHNBMutex is the CLH lock in which a process gives up without a wait: it leaves its
// node behind for the next in the queue to free.
//
// Source: Michael L. Scott, "Non-Blocking Timeout in Scalable Queue-Based Spin Locks",
// PODC 2002, p. 31-40; written after a statement of the code in its appendix.
//
// Registers: tail, the last node of the queue or nil, swapped by all; of each node
// prev, nil while its process waits or is inside, AVAILABLE when it has left, and a node
// when it has given up, which is the one to wait for instead; allocated, set by the
// process that owns the node, and cleared by the one that finds it is not needed any more.
//
// Properties: first-come-first-served, in the order of line 2, of those that stay. Neither
// giving up nor leaving waits for anybody, as a node stays where it is until the
// process behind it has gone past. A node is allocated by its owner only, so that a tail
// that is compared with it is the same passage's.
//
// The doorway is lines 1 and 2.
//
//	timed entry section of process i:
//	1  I := a node of i's that is not allocated; I.prev := nil
//	2  pred := swap(tail, I)
//	3  if pred is nil then enter
//	4  until time is out, repeat p := pred.prev:
//	       if p = AVAILABLE then free(pred) and enter
//	       if p is a node then free(pred); pred := p
//	5  if compare-and-swap(tail, I, pred) succeeds then free(I) else I.prev := pred
//	6  fail
//	exit section:
//	7  I := the node with which i has entered
//	8  if compare-and-swap(tail, I, nil) succeeds then free(I) else I.prev := AVAILABLE
//
// Deviations: each process has three nodes, which are enough for two processes: none
// runs out, which the check would show as a panic; with two nodes one does. For three
// processes no number is enough, since those that give up can leave node after node in a
// row; the paper allocates memory, which a lock here must not. So the card is for two. The
// word lock_holder is a private variable. Nodes are numbers. There is no released form.
type CLHNBMutex struct {
	_       shm.NoCopy
	_       shm.Pad
	tail    atomic.Uint32 // 0 for nil, or a node plus one
	_       shm.Pad
	node    shm.Array[clhNBNode]
	private shm.Array[clhNBPrivate] // private[i] is used by process i only
}

type clhNBNode struct {
	prev      register.Uint32 // as tail, or gone
	allocated register.Bool
}

type clhNBPrivate struct{ I uint32 }

const (
	pool = 3          // nodes of a process
	none = 0          // no node
	gone = ^uint32(0) // AVAILABLE
)

// NewCLHNB returns a CLH lock with non-blocking timeout for n processes, or a
// *shm.ProcsError.
func NewCLHNB(n int, layout shm.Layout) (*CLHNBMutex, error) {
	if err := shm.CheckProcs("abort/clhnb", n, 1, 2); err != nil {
		return nil, err
	}
	return &CLHNBMutex{
		node:    shm.NewArray[clhNBNode](pool*n, layout),
		private: shm.NewArray[clhNBPrivate](n, shm.Padded),
	}, nil
}

// Lock is the entry section of process i.
func (l *CLHNBMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil is the timed entry section of process i.
func (l *CLHNBMutex) LockUntil(i int, giveUp func() bool) bool {
	I := l.allocate(i)
	l.at(I).prev.Store(none) // 1
	pred := l.tail.Swap(I)   // 2
	for pred != none {       // 3
		p := l.at(pred).prev.Load() // 4
		if p == none {
			if giveUp() {
				l.abandon(I, pred)
				return false // 6
			}
			spin.Pause()
			continue
		}
		l.free(pred) // 4
		if p == gone {
			break
		}
		pred = p
	}
	l.private.At(i).I = I
	return true
}

// abandon gives a place in the queue up.
func (l *CLHNBMutex) abandon(I, pred uint32) {
	if l.tail.CompareAndSwap(I, pred) { // 5
		l.free(I) // 5
	} else {
		l.at(I).prev.Store(pred) // 5
	}
}

// Unlock is the exit section of process i.
func (l *CLHNBMutex) Unlock(i int) {
	I := l.private.At(i).I              // 7
	if l.tail.CompareAndSwap(I, none) { // 8
		l.free(I) // 8
	} else {
		l.at(I).prev.Store(gone) // 8
	}
}

func (l *CLHNBMutex) at(I uint32) *clhNBNode { return l.node.At(int(I - 1)) }

// allocate returns a node of process i that is not in use.
func (l *CLHNBMutex) allocate(i int) uint32 {
	for k := range pool {
		I := uint32(pool*i + k + 1)
		if node := l.at(I); !node.allocated.Load() { // 1
			node.allocated.Store(true) // 1
			return I
		}
	}
	panic("abort/clhnb: no node is free")
}

func (l *CLHNBMutex) free(I uint32) { l.at(I).allocated.Store(false) }
