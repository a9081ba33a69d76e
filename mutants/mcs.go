package mutants

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var mcs = queue.MCS(shm.Packed)

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
	l    atomic.Pointer[mcsNode]
	node []mcsNode
}

type mcsNode struct {
	next   atomic.Pointer[mcsNode]
	locked atomic.Bool
}

func newMCS(n int) *mcsBase { return &mcsBase{node: make([]mcsNode, n)} }

// follow is lines 4 to 6.
func (I *mcsNode) follow(pred *mcsNode) {
	I.locked.Store(true) // 4
	pred.next.Store(I)   // 5
	I.await()
}

// await is line 6.
func (I *mcsNode) await() {
	spin.Until(func() bool { return !I.locked.Load() })
}

// release is lines 8 and 9.
func (I *mcsNode) release() {
	spin.Until(func() bool { return I.next.Load() != nil }) // 8
	I.next.Load().locked.Store(false)                       // 9
}

func (l *mcsBase) Lock(i int) {
	I := &l.node[i]
	I.next.Store(nil)                     // 1
	if pred := l.l.Swap(I); pred != nil { // 2, 3
		I.follow(pred)
	}
}

func (l *mcsBase) Unlock(i int) {
	I := &l.node[i]
	if I.next.Load() == nil && l.l.CompareAndSwap(I, nil) { // 7
		return
	}
	I.release()
}

type mcsSplitSwap struct{ *mcsBase }

func (l *mcsSplitSwap) Lock(i int) {
	I := &l.node[i]
	I.next.Store(nil)  // 1
	pred := l.l.Load() // 2
	l.l.Store(I)       // 2
	if pred != nil {   // 3
		I.follow(pred)
	}
}

type mcsNeverLocked struct{ *mcsBase }

func (l *mcsNeverLocked) Lock(i int) {
	I := &l.node[i]
	I.next.Store(nil)                     // 1
	if pred := l.l.Swap(I); pred != nil { // 2, 3
		pred.next.Store(I) // 5
		I.await()          // 6
	}
}

type mcsNoWaitForNext struct{ *mcsBase }

func (l *mcsNoWaitForNext) Unlock(i int) {
	I := &l.node[i]
	if I.next.Load() == nil && l.l.CompareAndSwap(I, nil) { // 7
		return
	}
	if next := I.next.Load(); next != nil { // 9
		next.locked.Store(false) // 9
	}
}

type mcsLockedAfterLinking struct{ *mcsBase }

func (l *mcsLockedAfterLinking) Lock(i int) {
	I := &l.node[i]
	I.next.Store(nil)                     // 1
	if pred := l.l.Swap(I); pred != nil { // 2, 3
		pred.next.Store(I)   // 5
		I.locked.Store(true) // 4
		I.await()            // 6
	}
}

type mcsTailKept struct{ *mcsBase }

func (l *mcsTailKept) Unlock(i int) {
	if next := l.node[i].next.Load(); next != nil { // 9
		next.locked.Store(false) // 9
	}
}

type mcsNextNotTested struct{ *mcsBase }

func (l *mcsNextNotTested) Unlock(i int) {
	I := &l.node[i]
	if l.l.CompareAndSwap(I, nil) { // 7
		return
	}
	I.release()
}
