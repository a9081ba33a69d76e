package nodes

import "sync/atomic"

type mcsNode struct {
	next   atomic.Pointer[mcsNode]
	locked atomic.Bool
}

// MCS hands its node from Lock to Unlock in a field that only the holder uses.
type MCS struct {
	tail   atomic.Pointer[mcsNode]
	holder *mcsNode
}

func NewMCS(int) *MCS { return new(MCS) }

func (l *MCS) Lock(int) {
	n := &mcsNode{}
	if pred := l.tail.Swap(n); pred != nil { // 1
		n.locked.Store(true)  // 2
		pred.next.Store(n)    // 3
		for n.locked.Load() { // 4
		}
	}
	l.holder = n // 5
}

func (l *MCS) Unlock(int) {
	n := l.holder             // 6
	if n.next.Load() == nil { // 7
		if l.tail.CompareAndSwap(n, nil) { // 8
			return
		}
		for n.next.Load() == nil { // 9
		}
	}
	n.next.Load().locked.Store(false) // 10
}

// Slots keeps the nodes by process.
type Slots struct {
	tail atomic.Pointer[mcsNode]
	node []*mcsNode
}

func NewSlots(n int) *Slots { return &Slots{node: make([]*mcsNode, n)} }

func (l *Slots) Lock(i int) {
	n := new(mcsNode)
	n.locked.Store(true)
	l.node[i] = n
	if pred := l.tail.Swap(n); pred != nil {
		pred.next.Store(n)
		for n.locked.Load() {
		}
	}
}

func (l *Slots) Unlock(i int) {
	n := l.node[i]
	if n.next.Load() == nil && l.tail.CompareAndSwap(n, nil) {
		return
	}
	for n.next.Load() == nil {
	}
	n.next.Load().locked.Store(false)
}

// Hasty forgets that a process may be between its swap and its link: then
// no process is woken.
type Hasty struct{ MCS }

func NewHasty(int) *Hasty { return new(Hasty) }

func (l *Hasty) Unlock(int) {
	n := l.holder
	if next := n.next.Load(); next != nil {
		next.locked.Store(false)
		return
	}
	l.tail.CompareAndSwap(n, nil)
}

// Blind empties the queue without looking whether it is still the last.
type Blind struct{ MCS }

func NewBlind(int) *Blind { return new(Blind) }

func (l *Blind) Unlock(int) {
	n := l.holder
	if n.next.Load() == nil {
		l.tail.Store(nil)
		return
	}
	n.next.Load().locked.Store(false)
}

// Late says that it waits only after others can see it.
type Late struct{ MCS }

func NewLate(int) *Late { return new(Late) }

func (l *Late) Lock(int) {
	n := &mcsNode{}
	if pred := l.tail.Swap(n); pred != nil {
		pred.next.Store(n)
		n.locked.Store(true)
		for n.locked.Load() {
		}
	}
	l.holder = n
}
