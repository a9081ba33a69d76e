package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var shfl = queue.Shfl(shm.Packed)

var shfls = []Mutant{
	mutate(shfl, "shfl-not-forbidden-again", "who has allowed stealing and finds that it is not the last of the queue does not take it back", Starvation, 2,
		func(n int) shm.Mutex { return &shflNotForbiddenAgain{newShfl(n)} }),
	mutate(shfl, "shfl-link-not-awaited", "who finds that it is not the last of the queue does not wait for the next to link itself", Deadlock, 2,
		func(n int) shm.Mutex { return &shflLinkNotAwaited{newShfl(n)} }),
	mutate(shfl, "shfl-result-ignored", "the front of the queue sets locked without looking whether it was set: nobody else can do so", Equivalent, 2,
		func(n int) shm.Mutex { return &shflResultIgnored{newShfl(n)} }),
}

// shflBase is ShflLock's queue in pieces:
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
type shflBase struct {
	glock, tail atomic.Uint32 // the tail: none, or i+1 for the node of process i
	node        []mcsNode     // whose locked is status
}

const nosteal = 2

func newShfl(n int) *shflBase { return &shflBase{node: make([]mcsNode, n)} }

// enqueue is lines 2 to 7.
func (l *shflBase) enqueue(I uint32) {
	node := &l.node[I-1]
	node.next.Store(none)    // 2
	node.locked.Store(false) // 3
	prev := l.tail.Swap(I)   // 4
	if prev == none {
		l.forbid() // 5
		return
	}
	l.node[prev-1].next.Store(I)                          // 6
	spin.Until(func() bool { return node.locked.Load() }) // 7
}

// free is the wait of line 8.
func (l *shflBase) free() {
	spin.Until(func() bool { return l.glock.Load()&locked == 0 }) // 8
}

// take is line 8.
func (l *shflBase) take() {
	for l.free(); l.glock.Or(locked)&locked != 0; l.free() { // 8
		spin.Pause()
	}
}

// leave is lines 9 to 14, with again as line 12.
func (l *shflBase) leave(I uint32, again func()) {
	next := &l.node[I-1].next
	if next.Load() == none { // 9
		l.glock.And(^uint32(nosteal))       // 10
		if l.tail.CompareAndSwap(I, none) { // 11
			return
		}
		again()                                                // 12
		spin.Until(func() bool { return next.Load() != none }) // 13
	}
	l.node[next.Load()-1].locked.Store(true) // 14
}

// forbid is lines 5 and 12.
func (l *shflBase) forbid() { l.glock.Or(nosteal) }

func (l *shflBase) Unlock(int) {
	l.glock.And(^uint32(locked)) // 15
}

type shflNotForbiddenAgain struct{ *shflBase }

func (l *shflNotForbiddenAgain) Lock(i int) {
	if I := uint32(i + 1); !l.glock.CompareAndSwap(0, locked) { // 1
		l.enqueue(I)
		l.take()
		l.leave(I, func() {})
	}
}

type shflLinkNotAwaited struct{ *shflBase }

func (l *shflLinkNotAwaited) Lock(i int) {
	I := uint32(i + 1)
	if l.glock.CompareAndSwap(0, locked) { // 1
		return
	}
	l.enqueue(I)
	l.take()
	if next := l.node[i].next.Load(); next != none { // 9
		l.node[next-1].locked.Store(true) // 14
		return
	}
	l.glock.And(^uint32(nosteal))        // 10
	if !l.tail.CompareAndSwap(I, none) { // 11
		l.forbid() // 12
	}
}

type shflResultIgnored struct{ *shflBase }

func (l *shflResultIgnored) Lock(i int) {
	if I := uint32(i + 1); !l.glock.CompareAndSwap(0, locked) { // 1
		l.enqueue(I)
		l.free()
		l.glock.Or(locked) // 8
		l.leave(I, l.forbid)
	}
}
