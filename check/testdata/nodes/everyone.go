package nodes

import "sync/atomic"

// Everyone makes a node in each Lock, and excludes no process.
type Everyone struct {
	tail atomic.Pointer[everyone]
	mine []*everyone
}

type everyone struct{ next atomic.Pointer[everyone] }

func NewEveryone(n int) *Everyone { return &Everyone{mine: make([]*everyone, n)} }

func (l *Everyone) Lock(i int) {
	n := new(everyone)
	l.mine[i] = n
	if before := l.tail.Swap(n); before != nil {
		before.next.Store(n)
	}
}

func (l *Everyone) Unlock(i int) {
	if l.mine[i].next.Load() == nil {
		l.tail.CompareAndSwap(l.mine[i], nil)
	}
}
