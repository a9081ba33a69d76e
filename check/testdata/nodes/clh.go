// Package nodes has locks whose nodes are allocated in Lock, as they are
// written in Go: right ones, and wrong ones beside them.
package nodes

import (
	"runtime"
	"sync/atomic"
)

type clhNode struct{ locked atomic.Bool }

// CLH allocates a node for each passage.
type CLH struct {
	tail atomic.Pointer[clhNode]
	mine []*clhNode // mine[i] is process i's
}

func NewCLH(n int) *CLH {
	l := &CLH{mine: make([]*clhNode, n)}
	l.tail.Store(&clhNode{})
	return l
}

func (l *CLH) Lock(i int) {
	n := &clhNode{}
	n.locked.Store(true)     // 1
	pred := l.tail.Swap(n)   // 2
	for pred.locked.Load() { // 3
		runtime.Gosched()
	}
	l.mine[i] = n
}

func (l *CLH) Unlock(i int) { l.mine[i].locked.Store(false) } // 4

// Early keeps its node where Unlock finds it before it shares it.
type Early struct{ CLH }

func NewEarly(n int) *Early { return &Early{CLH{mine: make([]*clhNode, n)}} }

func (l *Early) Lock(i int) {
	n := new(clhNode)
	l.mine[i] = n
	n.locked.Store(true)
	if pred := l.tail.Swap(n); pred != nil {
		for pred.locked.Load() {
		}
	}
}

// Recycling takes its predecessor's node for its next passage, as the paper
// does; the first one is allocated when it is needed.
type Recycling struct {
	tail       atomic.Pointer[clhNode]
	mine, pred []*clhNode
}

func NewRecycling(n int) *Recycling {
	l := &Recycling{mine: make([]*clhNode, n), pred: make([]*clhNode, n)}
	l.tail.Store(new(clhNode))
	return l
}

func (l *Recycling) Lock(i int) {
	if l.mine[i] == nil {
		l.mine[i] = new(clhNode)
	}
	l.mine[i].locked.Store(true)
	l.pred[i] = l.tail.Swap(l.mine[i])
	for l.pred[i].locked.Load() {
	}
}

func (l *Recycling) Unlock(i int) {
	l.mine[i].locked.Store(false)
	l.mine[i] = l.pred[i]
}

// Own takes its own node again at once, on which the next in line may not yet
// have seen that it is free.
type Own struct{ Recycling }

func NewOwn(n int) *Own { return &Own{*NewRecycling(n)} }

func (l *Own) Unlock(i int) { l.mine[i].locked.Store(false) }

// Linked has each node lead to the one before it for good: none is ever free.
type Linked struct {
	tail atomic.Pointer[linkedNode]
	mine []*linkedNode
}

type linkedNode struct {
	pred   *linkedNode
	locked atomic.Bool
}

func NewLinked(n int) *Linked {
	l := &Linked{mine: make([]*linkedNode, n)}
	l.tail.Store(new(linkedNode))
	return l
}

func (l *Linked) Lock(i int) {
	n := new(linkedNode)
	n.locked.Store(true)
	n.pred = l.tail.Swap(n)
	for n.pred.locked.Load() {
	}
	l.mine[i] = n
}

func (l *Linked) Unlock(i int) { l.mine[i].locked.Store(false) }

// Cut lets go of the node before when it is done with it.
type Cut struct{ Linked }

func NewCut(n int) *Cut { return &Cut{*NewLinked(n)} }

func (l *Cut) Lock(i int) {
	l.Linked.Lock(i)
	l.mine[i].pred = nil
}

// Keeps keeps the address of the node before for no use.
type Keeps struct {
	CLH
	pred []*clhNode
}

func NewKeeps(n int) *Keeps { return &Keeps{*NewCLH(n), make([]*clhNode, n)} }

func (l *Keeps) Lock(i int) {
	n := &clhNode{}
	n.locked.Store(true)
	l.pred[i] = l.tail.Swap(n)
	for l.pred[i].locked.Load() {
	}
	l.mine[i] = n
}
