package machines

import "sync/atomic"

// A Node is a lock inside others.
type Node struct{ w atomic.Int32 }

func (n *Node) Lock(pid int) {
	n.w.Store(1) // 7
}

func (n *Node) Unlock(int) { n.w.Store(0) }

// Nested is a lock with others inside.
type Nested struct {
	first, second Node
	turn          atomic.Int32
	plain         int
}

func NewNested(int) *Nested { return &Nested{} }

func (l *Nested) Lock(pid int) {
	l.first.Lock(pid) // 1
	l.inner(pid)      // 2
	func() {
		l.turn.Store(2)
	}()
	defer l.second.Unlock(pid) // 3
	l.turn.Store(3)
}

func (l *Nested) inner(pid int) {
	l.second.Lock(pid)
	l.turn.Store(1) // 5
}

func (l *Nested) Unlock(pid int) {
	l.first.Unlock(pid)
}
