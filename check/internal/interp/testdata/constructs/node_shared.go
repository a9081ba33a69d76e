package constructs

import "sync/atomic"

// NodeShared publishes what it has allocated: from then on, what is done to it is
// an access.
type NodeShared struct {
	w atomic.Pointer[part]
	b bool
}

type part struct {
	x    atomic.Int32
	next *part
	y    int
}

func NewNodeShared(int) *NodeShared { return &NodeShared{} }

// Lock makes these accesses:
//
//	compare-and-swap w = nil, b := false
//	store w := part#1
//	add part#1.x = 1 := 3
//	part#1.y = 2, part#1.y := 3
//	load w = part#1
func (l *NodeShared) Lock(int) {
	n := &part{next: &part{}, y: 2}
	n.x.Store(1)
	l.b = l.w.CompareAndSwap(n, n)
	n.next.y = 1
	l.w.Store(n)
	n.x.Add(2)
	n.y++
	_ = l.w.Load()
}

func (l *NodeShared) Unlock(int) {}
