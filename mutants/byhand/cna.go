package byhand

import (
	"sync/atomic"

	"shmbench/numa"
	"shmbench/shm"
	"shmbench/spin"
)

var cna = numa.CNA{Nodes: twoNodes, Batch: nodeBatch}.Card(shm.Packed, shm.Sequential)

var cnas = []Mutant{
	mutate(cna, "cna-queue-lost", "the second queue is put before the first without being linked to it", Deadlock, 3,
		func(n int) shm.Mutex { return &cnaQueueLost{newCNA(n)} }),
	mutate(cna, "cna-skipped-still-linked", "the last of those that are skipped still leads to the one that is let in", Deadlock, 3,
		func(n int) shm.Mutex { return &cnaSkippedStillLinked{newCNA(n)} }),
	mutate(cna, "cna-second-queue-forgotten", "who finds nobody behind it forgets the second queue", Deadlock, 3,
		func(n int) shm.Mutex { return &cnaSecondQueueForgotten{newCNA(n)} }),
	mutate(cna, "cna-no-end-of-batch", "the second queue waits as long as anybody of the holder's node comes", Starvation, 3,
		func(n int) shm.Mutex { return &cnaNoEndOfBatch{newCNA(n)} }),
}

// cnaBase is the compact NUMA-aware lock in pieces:
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  I.spin := 0
//	3  pred := swap(tail, I)
//	4  if pred = nil then I.spin := 1, enter
//	5  pred.next := I
//	6  wait until I.spin is not 0
//	exit section:
//	7  if I.next = nil then
//	8      if I.spin = 1 then if compare-and-swap(tail, I, nil) succeeds then return
//	9      else h := I.spin; if compare-and-swap(tail, I, h.secTail) succeeds then
//	10         kept := 0; h.spin := 1, return
//	11     wait until I.next is not nil
//	12 if kept + 1 < batch then s := successor(I); if s is not nil then
//	13     kept := kept + 1; s.spin := I.spin, return
//	14 kept := 0; h := I.spin
//	15 if h = 1 then I.next.spin := 1, return
//	16 h.secTail.next := I.next
//	17 h.spin := 1
//	successor(I):
//	18 a := I.next; if a is of the node of i then return a
//	19 find the first c behind a that is of the node of i, and z before it
//	20 if there is none then return nil
//	21 if I.spin = 1 then I.spin := a, else I.spin.secTail.next := a
//	22 z.next := nil
//	23 I.spin.secTail := z, return c
type cnaBase struct {
	tail atomic.Uint32 // none, or i+1 for the node of process i
	kept int
	node []cnaNode // from 1 on; process i is on node i mod 2
}

type cnaNode struct {
	next, spin, secTail atomic.Uint32 // spin: 0, 1, or i+2 for the node of process i
}

func newCNA(n int) *cnaBase { return &cnaBase{node: make([]cnaNode, n+1)} }

func (l *cnaBase) Lock(i int) {
	I, node := uint32(i+1), &l.node[i+1]
	node.next.Store(none)  // 1
	node.spin.Store(0)     // 2
	pred := l.tail.Swap(I) // 3
	if pred == none {
		node.spin.Store(1) // 4
		return
	}
	l.node[pred].next.Store(I)                               // 5
	spin.Until(func() bool { return node.spin.Load() != 0 }) // 6
}

// empty is lines 7 to 11; it reports whether that was all.
func (l *cnaBase) empty(I uint32) bool {
	node := &l.node[I]
	if node.next.Load() == none { // 7
		if second := node.spin.Load(); second == 1 { // 8
			if l.tail.CompareAndSwap(I, none) { // 8
				return true
			}
		} else if h := &l.node[second-1]; l.tail.CompareAndSwap(I, h.secTail.Load()) { // 9
			l.kept = 0      // 10
			h.spin.Store(1) // 10
			return true
		}
		spin.Until(func() bool { return node.next.Load() != none }) // 11
	}
	return false
}

// near is lines 12 and 13 with l.split as line 22; it reports whether that was all.
func (l *cnaBase) near(I uint32, split func(z uint32)) bool {
	if l.kept+1 < nodeBatch { // 12
		if s := l.successor(I, split); s != none { // 12
			l.kept++                                    // 13
			l.node[s].spin.Store(l.node[I].spin.Load()) // 13
			return true
		}
	}
	l.kept = 0 // 14
	return false
}

// split is line 22.
func (l *cnaBase) split(z uint32) { l.node[z].next.Store(none) }

// far is lines 14 to 17, with link as line 16.
func (l *cnaBase) far(I uint32, link func(h, next uint32)) {
	next, second := l.node[I].next.Load(), l.node[I].spin.Load() // 14
	if second == 1 {
		l.node[next].spin.Store(1) // 15
		return
	}
	link(second-1, next)
	l.node[second-1].spin.Store(1) // 17
}

// link is line 16.
func (l *cnaBase) link(h, next uint32) { l.node[l.node[h].secTail.Load()].next.Store(next) }

func (l *cnaBase) successor(I uint32, split func(z uint32)) uint32 {
	node := &l.node[I]
	a := node.next.Load() // 18
	if a%2 == I%2 {
		return a
	}
	z, c := a, l.node[a].next.Load() // 19
	for c != none && c%2 != I%2 {
		z, c = c, l.node[c].next.Load() // 19
	}
	if c == none {
		return none // 20
	}
	second := node.spin.Load() // 21
	if second == 1 {
		second = a + 1
		node.spin.Store(second) // 21
	} else {
		l.node[l.node[second-1].secTail.Load()].next.Store(a) // 21
	}
	split(z)
	l.node[second-1].secTail.Store(z) // 23
	return c
}

type cnaQueueLost struct{ *cnaBase }

func (l *cnaQueueLost) Unlock(i int) {
	if I := uint32(i + 1); !l.empty(I) && !l.near(I, l.split) {
		l.far(I, func(h, next uint32) {})
	}
}

type cnaSkippedStillLinked struct{ *cnaBase }

func (l *cnaSkippedStillLinked) Unlock(i int) {
	if I := uint32(i + 1); !l.empty(I) && !l.near(I, func(uint32) {}) {
		l.far(I, l.link)
	}
}

type cnaSecondQueueForgotten struct{ *cnaBase }

func (l *cnaSecondQueueForgotten) Unlock(i int) {
	I, node := uint32(i+1), &l.node[i+1]
	if node.next.Load() == none { // 7
		if l.tail.CompareAndSwap(I, none) { // 8
			return
		}
		spin.Until(func() bool { return node.next.Load() != none }) // 11
	}
	if !l.near(I, l.split) {
		l.far(I, l.link)
	}
}

type cnaNoEndOfBatch struct{ *cnaBase }

func (l *cnaNoEndOfBatch) Unlock(i int) {
	I := uint32(i + 1)
	if l.empty(I) {
		return
	}
	if s := l.successor(I, l.split); s != none { // 12
		l.node[s].spin.Store(l.node[I].spin.Load()) // 13
		return
	}
	l.far(I, l.link)
}
