package constructs

import "sync/atomic"

// NodeFunction publishes a nil function, and one that is not.
type NodeFunction struct{ w atomic.Pointer[func()] }

func NewNodeFunction(int) *NodeFunction { return &NodeFunction{} }

// Lock makes these accesses:
//
//	store w := func()#1
func (l *NodeFunction) Lock(int) {
	var f func()
	l.w.Store(&f)
	x := 0
	f = func() { x++ } // refused: stores a function in shared memory that captures a variable of the process
}

func (l *NodeFunction) Unlock(int) {}
