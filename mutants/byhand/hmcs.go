package byhand

import (
	"math"
	"sync/atomic"

	"shmbench/numa"
	"shmbench/shm"
	"shmbench/spin"
)

var hmcs = numa.HMCS{Nodes: twoNodes, Batch: nodeBatch}.Card(shm.Packed, shm.Sequential)

var hmcses = []Mutant{
	mutate(hmcs, "hmcs-leaf-first", "the queue of the node is left before the root's, in which the next of the node then uses the same record", Deadlock, 3,
		func(n int) shm.Mutex { return &hmcsLeafFirst{newHMCS(n)} }),
	mutate(hmcs, "hmcs-parent-not-said", "who has left the root's queue does not tell the next of its node to queue up there", Safety, 3,
		func(n int) shm.Mutex { return &hmcsParentNotSaid{newHMCS(n)} }),
	mutate(hmcs, "hmcs-no-count", "who passes the root on does not count", Starvation, 3,
		func(n int) shm.Mutex { return &hmcsNoCount{newHMCS(n)} }),
}

// hmcsBase is the hierarchical MCS lock of two levels in pieces:
//
//	entry section of process i, whose queue node is I, in the queue of group x:
//	1  I.next := nil
//	2  pred := swap(tail[x], I)
//	3  if pred is not nil then
//	4      I.status := wait
//	5      pred.next := I
//	6      wait until I.status is not wait
//	7      if I.status is not parent then enter
//	8  if x is the root then enter
//	9  I.status := 1
//	10 I := the queue node of x, x := the group around it; goto 1
//	exit section of process i, I and x as at first:
//	11 if x is not the root then
//	12     if I.status < batch and I.next is not nil then I.next.status := I.status + 1, return
//	13     leave the queue of the group around x, as from line 11
//	14 if I.next = nil then if compare-and-swap(tail[x], I, nil) succeeds then return
//	15 wait until I.next is not nil
//	16 I.next.status := parent, or 1 if x is the root
type hmcsBase struct {
	tail [3]atomic.Uint32 // of node i mod 2, and of the root
	node []hmcsNode       // from 1 on: of process i, and of the nodes
}

type hmcsNode struct{ next, status atomic.Uint32 }

const (
	hmcsRoot   = 2
	hmcsParent = math.MaxUint32
)

func newHMCS(n int) *hmcsBase { return &hmcsBase{node: make([]hmcsNode, n+3)} }

// up is the number of the queue node of process i's node in the root's queue.
func (l *hmcsBase) up(i int) uint32 { return uint32(len(l.node) - 2 + i%2) }

func (l *hmcsBase) Lock(i int) {
	if !l.enter(i%2, uint32(i+1)) {
		l.node[i+1].status.Store(1) // 9
		l.enter(hmcsRoot, l.up(i))
	}
}

// enter is lines 1 to 7; it reports whether the predecessor has passed on what is above.
func (l *hmcsBase) enter(x int, I uint32) bool {
	node := &l.node[I]
	node.next.Store(none)     // 1
	pred := l.tail[x].Swap(I) // 2
	if pred == none {         // 3
		return false
	}
	node.status.Store(0)                                       // 4
	l.node[pred].next.Store(I)                                 // 5
	spin.Until(func() bool { return node.status.Load() != 0 }) // 6
	return node.status.Load() != hmcsParent                    // 7
}

func (l *hmcsBase) Unlock(i int) {
	if I := uint32(i + 1); !l.pass(I) {
		l.leave(hmcsRoot, l.up(i), 1)
		l.leave(i%2, I, hmcsParent)
	}
}

// pass is line 12; it reports whether that was all.
func (l *hmcsBase) pass(I uint32) bool {
	count, next := l.node[I].status.Load(), l.node[I].next.Load() // 12
	if count >= nodeBatch || next == none {
		return false
	}
	l.node[next].status.Store(count + 1) // 12
	return true
}

// leave is lines 14 to 16.
func (l *hmcsBase) leave(x int, I, grant uint32) {
	next := &l.node[I].next
	if next.Load() == none && l.tail[x].CompareAndSwap(I, none) { // 14
		return
	}
	spin.Until(func() bool { return next.Load() != none }) // 15
	l.node[next.Load()].status.Store(grant)                // 16
}

type hmcsLeafFirst struct{ *hmcsBase }

func (l *hmcsLeafFirst) Unlock(i int) {
	if I := uint32(i + 1); !l.pass(I) {
		l.leave(i%2, I, hmcsParent)
		l.leave(hmcsRoot, l.up(i), 1)
	}
}

type hmcsParentNotSaid struct{ *hmcsBase }

func (l *hmcsParentNotSaid) Unlock(i int) {
	if I := uint32(i + 1); !l.pass(I) {
		l.leave(hmcsRoot, l.up(i), 1)
		l.leave(i%2, I, 1)
	}
}

type hmcsNoCount struct{ *hmcsBase }

func (l *hmcsNoCount) Unlock(i int) {
	I := uint32(i + 1)
	if next := l.node[I].next.Load(); next != none { // 12
		l.node[next].status.Store(1) // 12
		return
	}
	l.leave(hmcsRoot, l.up(i), 1)
	l.leave(i%2, I, hmcsParent)
}
