package byhand

import (
	"sync/atomic"

	"shmbench/abort"
	"shmbench/shm"
	"shmbench/spin"
)

var mcsTry = abort.MCSTry(shm.Packed)

// mcsTries have LockUntil only if what is broken is there. What the lock itself lacks while
// processes give up is no verdict on them.
var mcsTries = []Mutant{
	mutate(mcsTry, "mcstry-no-answer", "who has been let in does not say that it has noticed", Deadlock, 2,
		func(n int) shm.Mutex { return &mcsTryNoAnswer{newMCSTry(n)} }).with(mcsTryPlain),
	mutate(mcsTry, "mcstry-prev-late", "a process makes ready to be let in when its predecessor knows of it", Deadlock, 2,
		func(n int) shm.Mutex { return &mcsTryPrevLate{newMCSTry(n)} }).with(mcsTryPlain),
	mutate(mcsTry, "mcstry-exit-unanswered", "who leaves does not wait until its successor is done with its node", Deadlock, 3,
		func(n int) shm.Mutex { return &mcsTryExitUnanswered{newMCSTry(n)} }).with(mcsTryPlain),
	mutate(mcsTry, "mcstry-empties", "who gives up as the last one leaves no tail, where it should be its predecessor", Safety, 2,
		func(n int) shm.Mutex { return &mcsTryEmpties{newMCSTry(n)} }).with(mcsTryPlain),
}

// mcsTryPlain is what the lock has without LockUntil.
var mcsTryPlain = mcsTry.Space[:3]

// mcsTryBase is MCS-try without LockUntil:
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  pred := swap(tail, I); if pred = nil then enter
//	4  I.prev := transient(nil)
//	5  pred.next := I
//	8  wait until I.prev is granted
//	10 pred.next := nil, and enter
//	exit section:
//	35 if I.next = nil then if compare-and-swap(tail, I, nil) succeeds then return
//	37 wait until succ := I.next is not nil
//	38 I.next := granted(nil)
//	39 succ.prev := granted
//	40 wait until I.next = nil
type mcsTryBase struct {
	tail atomic.Uint32 // none, or i+1 for the node of process i
	node []mcsTryNode
}

type mcsTryNode struct{ prev, next atomic.Uint32 }

// What prev and next can be beside none and a node.
const (
	mcsTryTransient = 1<<16 + iota
	mcsTryGranted
)

func newMCSTry(n int) *mcsTryBase { return &mcsTryBase{node: make([]mcsTryNode, n)} }

func (l *mcsTryBase) Lock(i int) {
	pred := l.enqueue(i)
	if pred == none {
		return
	}
	l.node[i].prev.Store(mcsTryTransient)    // 4
	l.node[pred-1].next.Store(uint32(i + 1)) // 5
	l.await(i)
	l.node[pred-1].next.Store(none) // 10
}

// enqueue is lines 1 and 2; it returns pred.
func (l *mcsTryBase) enqueue(i int) uint32 {
	l.node[i].next.Store(none)        // 1
	return l.tail.Swap(uint32(i + 1)) // 2
}

// await is line 8.
func (l *mcsTryBase) await(i int) {
	spin.Until(func() bool { return l.node[i].prev.Load() == mcsTryGranted })
}

func (l *mcsTryBase) Unlock(i int) {
	if l.pass(i) {
		spin.Until(func() bool { return l.node[i].next.Load() == none }) // 40
	}
}

// pass is lines 35 to 39. It reports whether there is a successor.
func (l *mcsTryBase) pass(i int) bool {
	next := &l.node[i].next
	if next.Load() == none && l.tail.CompareAndSwap(uint32(i+1), none) { // 35
		return false
	}
	succ := next.Load()                                             // 37
	for succ == none || !next.CompareAndSwap(succ, mcsTryGranted) { // 37, 38
		spin.Pause()
		succ = next.Load() // 37
	}
	l.node[succ-1].prev.Store(mcsTryGranted) // 39
	return true
}

type mcsTryNoAnswer struct{ *mcsTryBase }

func (l *mcsTryNoAnswer) Lock(i int) {
	if pred := l.enqueue(i); pred != none {
		l.node[i].prev.Store(mcsTryTransient)    // 4
		l.node[pred-1].next.Store(uint32(i + 1)) // 5
		l.await(i)
	}
}

type mcsTryPrevLate struct{ *mcsTryBase }

func (l *mcsTryPrevLate) Lock(i int) {
	pred := l.enqueue(i)
	if pred == none {
		return
	}
	l.node[pred-1].next.Store(uint32(i + 1)) // 5
	l.node[i].prev.Store(mcsTryTransient)    // 4
	l.await(i)
	l.node[pred-1].next.Store(none) // 10
}

type mcsTryExitUnanswered struct{ *mcsTryBase }

func (l *mcsTryExitUnanswered) Unlock(i int) { l.pass(i) }

type mcsTryEmpties struct{ *mcsTryBase }

func (l *mcsTryEmpties) LockUntil(i int, giveUp func() bool) bool {
	pred := l.enqueue(i)
	if pred == none {
		return true
	}
	l.node[i].prev.Store(mcsTryTransient)        // 4
	l.node[pred-1].next.Store(uint32(i + 1))     // 5
	for l.node[i].prev.Load() != mcsTryGranted { // 8
		if giveUp() {
			if l.node[pred-1].next.CompareAndSwap(uint32(i+1), none) && l.tail.CompareAndSwap(uint32(i+1), none) { // 21, 24
				return false
			}
			l.await(i)
			break
		}
		spin.Pause()
	}
	l.node[pred-1].next.Store(none) // 10
	return true
}
