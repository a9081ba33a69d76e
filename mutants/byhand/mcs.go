package byhand

import (
	"sync/atomic"

	"shmbench/spin"
)

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
