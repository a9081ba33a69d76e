package locks

import "sync/atomic"

type turned struct{ locked atomic.Bool }

// Exchanges is the queue lock of Craig, Landin and Hagersten: a leaving process takes
// over the node of its predecessor.
type Exchanges struct {
	tail       atomic.Pointer[turned]
	mine, pred []*turned
}

func NewExchanges(n int) *Exchanges {
	l := &Exchanges{mine: make([]*turned, n), pred: make([]*turned, n)}
	for i := range l.mine {
		l.mine[i] = new(turned)
	}
	l.tail.Store(new(turned))
	return l
}

func (l *Exchanges) Lock(i int) {
	l.mine[i].locked.Store(true)
	l.pred[i] = l.tail.Swap(l.mine[i])
	for l.pred[i].locked.Load() {
	}
}

func (l *Exchanges) Unlock(i int) {
	me := l.mine[i]
	l.mine[i] = l.pred[i]
	me.locked.Store(false)
}

// Ring is the same lock with two nodes a process, in a ring of its own.
type Ring struct {
	tail atomic.Pointer[turned]
	ring [][2]*turned
	at   []int
	pred []*turned
}

func NewRing(n int) *Ring {
	l := &Ring{ring: make([][2]*turned, n), at: make([]int, n), pred: make([]*turned, n)}
	for i := range l.ring {
		l.ring[i] = [2]*turned{new(turned), new(turned)}
	}
	l.tail.Store(new(turned))
	return l
}

func (l *Ring) Lock(i int) {
	l.at[i] = (l.at[i] + 1) % 2
	me := l.ring[i][l.at[i]]
	me.locked.Store(true)
	l.pred[i] = l.tail.Swap(me)
	for l.pred[i].locked.Load() {
	}
}

func (l *Ring) Unlock(i int) {
	me := l.ring[i][l.at[i]]
	l.ring[i][l.at[i]], l.pred[i] = l.pred[i], nil
	me.locked.Store(false)
}
