package nodes

import "sync/atomic"

// Unlinked lets each process in as soon as it has its node in the queue.
type Unlinked struct{ tail atomic.Pointer[mcsNode] }

func NewUnlinked(int) *Unlinked { return new(Unlinked) }

func (l *Unlinked) Lock(int) {
	x := &mcsNode{}
	if p := l.tail.Swap(x); p != nil {
		p.next.Store(x)
	}
}

func (l *Unlinked) Unlock(int) { l.tail.Store(nil) }

// Lost is Slots without the wait for a successor that is between its swap and its
// link, which is never woken then.
type Lost struct{ Slots }

func NewLost(n int) *Lost { return &Lost{*NewSlots(n)} }

func (l *Lost) Unlock(i int) {
	n := l.node[i]
	if next := n.next.Load(); next != nil {
		next.locked.Store(false)
		return
	}
	l.tail.CompareAndSwap(n, nil)
}

// Severed is Slots that cuts off the tail whether anybody has come or not.
type Severed struct{ Slots }

func NewSevered(n int) *Severed { return &Severed{*NewSlots(n)} }

func (l *Severed) Unlock(i int) {
	n := l.node[i]
	l.tail.Store(nil)
	if next := n.next.Load(); next != nil {
		next.locked.Store(false)
	}
}
