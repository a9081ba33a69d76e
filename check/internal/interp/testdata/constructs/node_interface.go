package constructs

import "sync/atomic"

// NodeInterface publishes what is in an interface.
type NodeInterface struct {
	w atomic.Pointer[any]
	x int
}

func NewNodeInterface(int) *NodeInterface { return &NodeInterface{} }

// Lock makes these accesses:
//
//	store w := any#1, load w = any#1, any#1 = pair#1, pair#1.a = 3, x := 3
func (l *NodeInterface) Lock(int) {
	var v any = &pair{a: 3}
	l.w.Store(&v)
	l.x = (*l.w.Load()).(*pair).a
	v = pair{} // refused: stores a struct in a shared interface variable
}

func (l *NodeInterface) Unlock(int) {}
