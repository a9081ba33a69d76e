package constructs

import "sync/atomic"

// NodeMoved publishes what append may or may not have moved.
type NodeMoved struct{ w atomic.Pointer[[]int] }

func NewNodeMoved(int) *NodeMoved { return &NodeMoved{} }

func (l *NodeMoved) Lock(int) {
	s := append([]int{1}, 2)
	s = append(s, 3)
	l.w.Store(&s) // refused: shares memory that append may or may not have moved
}

func (l *NodeMoved) Unlock(int) {}
