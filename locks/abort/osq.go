package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// OSQ returns the specification of Linux's optimistic spin queue for a layout of its nodes.
func OSQ(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:  "abort/osq",
		Title: "Linux's optimistic spin queue",
		Source: shm.Source{
			Author: "Peter Zijlstra and Jason Low",
			Title:  "kernel/locking/mcs_spinlock.c",
			Venue:  "Linux 3.15",
			Year:   2014,
		},
		Class: shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed:          shm.Mixed{Writers: shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "3"}},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "prev", Count: shm.N, Values: shm.N},
			{Name: "locked", Count: shm.N, Values: shm.Const(2)},
		},
	}.Built(layout, shm.Sequential, buildOSQ)
}

// OSQMutex is the optimistic spin queue of Linux: an MCS lock whose list is linked in both
// directions, so that a waiting process can take its node out.
//
// Source: Peter Zijlstra, kernel/locking/mcs_spinlock.c, Linux 3.15, 2014. Jason Low made
// the tail the number of a processor in the same year. Since Linux 4.0 the file is
// kernel/locking/osq_lock.c. Written after that file at commit 1b62d134.
//
// Registers: tail, the last node of the list or nil, changed by all; for each process a node
// with next, changed by its owner and its neighbors; prev, written by its owner and by a
// predecessor that leaves; and locked, which its owner clears and the predecessor sets: the
// process has the lock.
//
// Properties: those of MCS as long as no process gives up: first-come-first-served in the
// order of line 3. A process that gives up removes its predecessor's pointer to it (line 7).
// From then on the predecessor can neither leave nor let it in. Then it waits until it is the
// tail or has a successor. It sets the tail back, or takes the pointer to the successor (line
// 17), and links its two neighbors. Two neighbors that give up take their pointers from the
// front to the back, so that one of them is first. But a process that gives up or leaves may
// wait, on lines 15 and 16, for a successor that gives up. Processes that arrive and give up
// again and again can make both of its tests fail each time: with processes that give up, the
// lock is not deadlock-free. In the kernel a process that has given up goes to sleep.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i, whose node is I:
//	1  I.locked := false
//	2  I.next := nil
//	3  prev := swap(tail, I); if prev = nil then enter
//	4  I.prev := prev
//	5  prev.next := I
//	6  wait until I.locked, and enter; or, if it is given up:
//	7  if prev.next = I then if compare-and-swap(prev.next, I, nil) succeeds then goto 10
//	8  if I.locked then enter
//	9  prev := I.prev; goto 7
//	10 next := waitNext(prev); if next is not nil then
//	11     next.prev := prev
//	12     prev.next := next
//	exit section:
//	13 if compare-and-swap(tail, I, nil) succeeds then return
//	14 next := swap(I.next, nil); if next = nil then next := waitNext(nil)
//	15 if next is not nil then next.locked := true
//	waitNext(old):
//	16 if tail = I then if compare-and-swap(tail, I, old) succeeds then return nil
//	17 if I.next is not nil then next := swap(I.next, nil); if next is not nil then return next
//	18 goto 16
//
// Deviations: in the kernel a process gives up when it is to be rescheduled, or when its
// predecessor is not running. Here it gives up when it is told to. There is no variant with
// release stores: the kernel's stores need no fence, but three processes that give up would
// have too many states to be checked each time.
type OSQMutex struct {
	_    shm.NoCopy
	_    shm.Pad
	tail atomic.Uint32 // none, or i+1 for the node of process i
	_    shm.Pad
	node shm.Array[osqNode]
}

type osqNode struct {
	next, prev atomic.Uint32 // as tail
	locked     atomic.Bool
}

// none is no node.
const none = 0

// NewOSQ returns the queue for n processes, or a *shm.ProcsError.
func NewOSQ(n int, layout shm.Layout) (*OSQMutex, error) {
	return shm.New[*OSQMutex](OSQ(layout), n)
}

func buildOSQ(b shm.Build) shm.Mutex {
	return &OSQMutex{node: shm.NewArray[osqNode](b.N, b.Layout)}
}

// of returns the node with an index other than none.
func (l *OSQMutex) of(I uint32) *osqNode { return l.node.At(int(I - 1)) }

// Lock acquires the lock for process i.
func (l *OSQMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i, or gives up after giveUp returns true.
func (l *OSQMutex) LockUntil(i int, giveUp func() bool) bool {
	I := uint32(i + 1)
	node := l.of(I)
	node.locked.Store(false) // 1
	node.next.Store(none)    // 2
	prev := l.tail.Swap(I)   // 3
	if prev == none {
		return true
	}
	node.prev.Store(prev)     // 4
	l.of(prev).next.Store(I)  // 5
	for !node.locked.Load() { // 6
		if giveUp() {
			return l.leave(I, prev)
		}
		spin.Pause()
	}
	return true
}

// leave is lines 7 to 12. It reports whether the process has entered after all.
func (l *OSQMutex) leave(I, prev uint32) bool {
	node := l.of(I)
	for {
		p := l.of(prev)
		if p.next.Load() == I && p.next.CompareAndSwap(I, none) { // 7
			break
		}
		if node.locked.Load() { // 8
			return true
		}
		spin.Pause()
		prev = node.prev.Load() // 9
	}
	if next := l.waitNext(I, prev); next != none { // 10
		l.of(next).prev.Store(prev) // 11
		l.of(prev).next.Store(next) // 12
	}
	return false
}

// Unlock releases the lock for process i.
func (l *OSQMutex) Unlock(i int) {
	I := uint32(i + 1)
	if l.tail.CompareAndSwap(I, none) { // 13
		return
	}
	next := l.of(I).next.Swap(none) // 14
	if next == none {
		next = l.waitNext(I, none) // 14
	}
	if next != none { // 15
		l.of(next).locked.Store(true) // 15
	}
}

// waitNext takes the successor's pointer from a node that is to leave, and returns it. It
// returns none if the node was the last one; then old is the new last node.
func (l *OSQMutex) waitNext(I, old uint32) uint32 {
	node := l.of(I)
	for ; ; spin.Pause() {
		if l.tail.Load() == I && l.tail.CompareAndSwap(I, old) { // 16
			return none
		}
		if node.next.Load() != none { // 17
			if next := node.next.Swap(none); next != none { // 17
				return next
			}
		}
	}
}
