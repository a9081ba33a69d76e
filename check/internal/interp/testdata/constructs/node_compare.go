package constructs

import "sync/atomic"

// NodeCompare publishes what it has allocated if nothing is there yet.
type NodeCompare struct {
	w atomic.Pointer[part]
	b bool
	y int
}

func NewNodeCompare(int) *NodeCompare { return &NodeCompare{} }

// Lock makes these accesses:
//
//	compare-and-swap w = nil := part#1, b := true, part#1.y = 2, part#1.y := 3,
//	load w = part#1, part#1.y = 3, y := 3, compare-and-swap w = part#1 := nil, b := true
func (l *NodeCompare) Lock(int) {
	n := &part{y: 2}
	l.b = l.w.CompareAndSwap(nil, n)
	n.y++
	l.y = l.w.Load().y
	l.b = l.w.CompareAndSwap(n, nil)
}

func (l *NodeCompare) Unlock(int) {}
