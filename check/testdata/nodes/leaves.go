package nodes

import "sync/atomic"

// Leaves keeps a node after its passage in which it is written how many were
// inside. It excludes no process.
type Leaves struct {
	inside atomic.Int32
	head   atomic.Pointer[leaf]
	mine   []*leaf
}

type leaf struct{ inside atomic.Int32 }

func NewLeaves(n int) *Leaves { return &Leaves{mine: make([]*leaf, n)} }

func (l *Leaves) Lock(i int) {
	n := &leaf{}
	l.head.Store(n)
	n.inside.Store(l.inside.Add(1))
	l.mine[i] = n
}

func (l *Leaves) Unlock(int) {
	l.head.Store(nil)
	l.inside.Add(-1)
}

// Constants publishes nodes that are never written again. It excludes no process.
type Constants struct {
	first, second atomic.Pointer[constant]
}

type constant struct{ v int }

func NewConstants(int) *Constants { return new(Constants) }

func (l *Constants) Lock(int) {
	l.first.Store(&constant{3})
	l.second.Store(l.first.Load())
	l.first.Store(nil)
}

func (l *Constants) Unlock(int) {
	if n := l.second.Load(); n != nil && n.v != 3 {
		panic("another node")
	}
	l.second.Store(nil)
}
