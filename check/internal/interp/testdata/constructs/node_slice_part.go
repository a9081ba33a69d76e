package constructs

import "sync/atomic"

// NodeSlicePart publishes a part of a slice.
type NodeSlicePart struct{ w atomic.Pointer[[]int] }

func NewNodeSlicePart(int) *NodeSlicePart { return &NodeSlicePart{} }

func (l *NodeSlicePart) Lock(int) {
	s := make([]int, 2)[:1:1]
	l.w.Store(&s) // refused: shares a part of a variable that Lock or Unlock has allocated, of type [2]int; share the whole, or allocate the part for itself
}

func (l *NodeSlicePart) Unlock(int) {}
