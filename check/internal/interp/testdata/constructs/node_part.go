package constructs

import "sync/atomic"

// NodePart publishes a part of what it has allocated.
type NodePart struct{ w atomic.Pointer[int] }

func NewNodePart(int) *NodePart { return &NodePart{} }

func (l *NodePart) Lock(int) {
	p := &pair{}
	p.b++
	l.w.Store(&p.b) // refused: shares a part of a variable that Lock or Unlock has allocated, of type constructs.pair; share the whole, or allocate the part for itself
}

func (l *NodePart) Unlock(int) {}
