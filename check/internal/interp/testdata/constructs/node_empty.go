package constructs

import "sync/atomic"

// NodeEmpty publishes a variable without size.
type NodeEmpty struct{ w atomic.Pointer[struct{}] }

func NewNodeEmpty(int) *NodeEmpty { return &NodeEmpty{} }

func (l *NodeEmpty) Lock(int) {
	l.w.Store(new(struct{})) // refused: shares a variable without size
}

func (l *NodeEmpty) Unlock(int) {}
