package byhand

import (
	"sync/atomic"

	"shmbench/abort"
	"shmbench/shm"
	"shmbench/spin"
)

var osq = abort.OSQ(shm.Packed)

// osqs have LockUntil only if what is broken is there. What the lock itself lacks while
// processes give up is no verdict on them.
var osqs = []Mutant{
	mutate(osq, "osq-stays-locked", "a process does not clear locked when it comes again", Safety, 2,
		func(n int) shm.Mutex { return &osqStaysLocked{newOSQ(n)} }).with(osqPlain),
	mutate(osq, "osq-split-exit", "who leaves sees that it is the tail, and clears that in another step", Deadlock, 2,
		func(n int) shm.Mutex { return &osqSplitExit{newOSQ(n)} }).using(shm.Swap).with(osqPlain),
	mutate(osq, "osq-empties", "who gives up as the last one leaves no tail, where it should be its predecessor", Safety, 2,
		func(n int) shm.Mutex { return &osqEmpties{newOSQ(n)} }).with(osqPlain),
}

// osqPlain is what the lock has without LockUntil, but for prev.
var osqPlain = shm.Space{osq.Space[0], osq.Space[1], osq.Space[3]}

// osqBase is the optimistic spin queue without LockUntil:
//
//	entry section of process i, whose node is I:
//	1  I.locked := false
//	2  I.next := nil
//	3  prev := swap(tail, I); if prev = nil then enter
//	5  prev.next := I
//	6  wait until I.locked
//	exit section:
//	13 if compare-and-swap(tail, I, nil) succeeds then return
//	14 next := swap(I.next, nil); if next = nil then wait until I.next is not nil; next := swap(I.next, nil)
//	15 next.locked := true
type osqBase struct {
	tail atomic.Uint32 // none, or i+1 for the node of process i
	node []osqNode
}

type osqNode struct {
	next   atomic.Uint32
	locked atomic.Bool
}

func newOSQ(n int) *osqBase { return &osqBase{node: make([]osqNode, n)} }

func (l *osqBase) Lock(i int) {
	l.node[i].locked.Store(false) // 1
	l.await(i)
}

// await is lines 2 to 6.
func (l *osqBase) await(i int) {
	if l.enqueue(i) != none {
		spin.Until(func() bool { return l.node[i].locked.Load() }) // 6
	}
}

// enqueue is lines 2 to 5; it returns prev.
func (l *osqBase) enqueue(i int) uint32 {
	l.node[i].next.Store(none)         // 2
	prev := l.tail.Swap(uint32(i + 1)) // 3
	if prev != none {
		l.node[prev-1].next.Store(uint32(i + 1)) // 5
	}
	return prev
}

func (l *osqBase) Unlock(i int) {
	if !l.tail.CompareAndSwap(uint32(i+1), none) { // 13
		l.pass(i)
	}
}

// pass is lines 14 and 15.
func (l *osqBase) pass(i int) {
	next := l.node[i].next.Swap(none) // 14
	for next == none {
		spin.Pause()
		next = l.node[i].next.Swap(none) // 14
	}
	l.node[next-1].locked.Store(true) // 15
}

type osqStaysLocked struct{ *osqBase }

func (l *osqStaysLocked) Lock(i int) { l.await(i) }

type osqSplitExit struct{ *osqBase }

func (l *osqSplitExit) Unlock(i int) {
	if l.tail.Load() != uint32(i+1) { // 13
		l.pass(i)
		return
	}
	l.tail.Store(none) // 13
}

type osqEmpties struct{ *osqBase }

func (l *osqEmpties) LockUntil(i int, giveUp func() bool) bool {
	l.node[i].locked.Store(false) // 1
	prev := l.enqueue(i)
	if prev == none {
		return true
	}
	for !l.node[i].locked.Load() { // 6
		if giveUp() {
			if l.node[prev-1].next.CompareAndSwap(uint32(i+1), none) && l.tail.CompareAndSwap(uint32(i+1), none) { // 7, 10
				return false
			}
			spin.Until(func() bool { return l.node[i].locked.Load() }) // 8
		}
		spin.Pause()
	}
	return true
}
