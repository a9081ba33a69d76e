package mutants

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var mcs = queue.MCS(shm.Packed, shm.Sequential)

var mcses = []Mutant{
	mutate(mcs, "mcs-split-swap", "the tail is read and written in two steps", Safety, 2,
		func(n int) shm.Mutex { return &mcsSplitSwap{newMCS(n)} }).using(shm.CompareAndSwap),
	mutate(mcs, "mcs-never-locked", "a process that has a predecessor does not set locked", Safety, 2,
		func(n int) shm.Mutex { return &mcsNeverLocked{newMCS(n)} }).with(shm.Space{
		mcs.Space[0], mcs.Space[1], {Name: "locked", Count: shm.N, Values: shm.Const(1)},
	}),
	mutate(mcs, "mcs-no-wait-for-next", "the exit section does not wait for a successor that is yet to link itself", Deadlock, 2,
		func(n int) shm.Mutex { return &mcsNoWaitForNext{newMCS(n)} }),
	mutate(mcs, "mcs-locked-after-linking", "locked is set after the predecessor has been told", Deadlock, 2,
		func(n int) shm.Mutex { return &mcsLockedAfterLinking{newMCS(n)} }),
	mutate(mcs, "mcs-tail-kept", "the exit section leaves the tail when nobody follows", Deadlock, 1,
		func(n int) shm.Mutex { return &mcsTailKept{newMCS(n)} }).using(shm.Swap),
	mutate(mcs, "mcs-next-not-tested", "the exit section tries to empty the list without looking for a successor first", Equivalent, 1,
		func(n int) shm.Mutex { return &mcsNextNotTested{newMCS(n)} }),
}

// mcsBase is the MCS lock in pieces:
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
type mcsBase struct {
	l    atomic.Uint32 // none, or i+1 for the node of process i
	node []mcsNode
}

type mcsNode struct {
	next   atomic.Uint32 // as l
	locked atomic.Bool
}

// none is the index of no node.
const none = 0

func newMCS(n int) *mcsBase { return &mcsBase{node: make([]mcsNode, n)} }

// of returns the node of an index other than none.
func (l *mcsBase) of(I uint32) *mcsNode { return &l.node[I-1] }

// follow is lines 4 to 6.
func (l *mcsBase) follow(pred, I uint32) {
	l.of(I).locked.Store(true) // 4
	l.of(pred).next.Store(I)   // 5
	l.of(I).await()
}

// await is line 6.
func (node *mcsNode) await() {
	spin.Until(func() bool { return !node.locked.Load() })
}

// release is lines 8 and 9.
func (l *mcsBase) release(I uint32) {
	next := &l.of(I).next
	spin.Until(func() bool { return next.Load() != none }) // 8
	l.of(next.Load()).locked.Store(false)                  // 9
}

func (l *mcsBase) Lock(i int) {
	I := uint32(i + 1)
	l.of(I).next.Store(none)               // 1
	if pred := l.l.Swap(I); pred != none { // 2, 3
		l.follow(pred, I)
	}
}

func (l *mcsBase) Unlock(i int) {
	I := uint32(i + 1)
	if l.of(I).next.Load() == none && l.l.CompareAndSwap(I, none) { // 7
		return
	}
	l.release(I)
}

type mcsSplitSwap struct{ *mcsBase }

func (l *mcsSplitSwap) Lock(i int) {
	I := uint32(i + 1)
	l.of(I).next.Store(none) // 1
	pred := l.l.Load()       // 2
	l.l.Store(I)             // 2
	if pred != none {        // 3
		l.follow(pred, I)
	}
}

type mcsNeverLocked struct{ *mcsBase }

func (l *mcsNeverLocked) Lock(i int) {
	I := uint32(i + 1)
	l.of(I).next.Store(none)               // 1
	if pred := l.l.Swap(I); pred != none { // 2, 3
		l.of(pred).next.Store(I) // 5
		l.of(I).await()          // 6
	}
}

type mcsNoWaitForNext struct{ *mcsBase }

func (l *mcsNoWaitForNext) Unlock(i int) {
	I := uint32(i + 1)
	if l.of(I).next.Load() == none && l.l.CompareAndSwap(I, none) { // 7
		return
	}
	if next := l.of(I).next.Load(); next != none { // 9
		l.of(next).locked.Store(false) // 9
	}
}

type mcsLockedAfterLinking struct{ *mcsBase }

func (l *mcsLockedAfterLinking) Lock(i int) {
	I := uint32(i + 1)
	l.of(I).next.Store(none)               // 1
	if pred := l.l.Swap(I); pred != none { // 2, 3
		l.of(pred).next.Store(I)   // 5
		l.of(I).locked.Store(true) // 4
		l.of(I).await()            // 6
	}
}

type mcsTailKept struct{ *mcsBase }

func (l *mcsTailKept) Unlock(i int) {
	if next := l.node[i].next.Load(); next != none { // 9
		l.of(next).locked.Store(false) // 9
	}
}

type mcsNextNotTested struct{ *mcsBase }

func (l *mcsNextNotTested) Unlock(i int) {
	I := uint32(i + 1)
	if l.l.CompareAndSwap(I, none) { // 7
		return
	}
	l.release(I)
}
