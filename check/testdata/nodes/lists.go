package nodes

import "sync/atomic"

// K42 is a lock whose nodes live on the stack of Lock, for no longer than it
// runs: the holder's own part of the queue is a node in the lock.
type K42 struct{ q k42Node }

type k42Node struct {
	next, tail atomic.Pointer[k42Node]
}

var waiting k42Node // what tail leads to in the node of a process that waits

func NewK42(int) *K42 { return new(K42) }

func (l *K42) Lock(int) {
	for {
		prev := l.q.tail.Load()
		if prev == nil {
			if l.q.tail.CompareAndSwap(nil, &l.q) {
				return
			}
			continue
		}
		var n k42Node
		n.tail.Store(&waiting)
		if !l.q.tail.CompareAndSwap(prev, &n) {
			continue
		}
		prev.next.Store(&n)
		for n.tail.Load() == &waiting {
		}
		succ := n.next.Load()
		if succ == nil {
			l.q.next.Store(nil)
			if !l.q.tail.CompareAndSwap(&n, &l.q) {
				for succ = n.next.Load(); succ == nil; succ = n.next.Load() {
				}
				l.q.next.Store(succ)
			}
		} else {
			l.q.next.Store(succ)
		}
		n.next.Store(nil)
		return
	}
}

func (l *K42) Unlock(int) {
	succ := l.q.next.Load()
	if succ == nil {
		if l.q.tail.CompareAndSwap(&l.q, nil) {
			return
		}
		for succ = l.q.next.Load(); succ == nil; succ = l.q.next.Load() {
		}
	}
	succ.tail.Store(nil)
}

// Stack is a lock with a stack of those who wait: the holder hands it to the
// top one. There is one who pops, so that the stack needs no more than a
// compare-and-swap.
type Stack struct{ top atomic.Pointer[waiter] }

type waiter struct {
	next    *waiter
	granted atomic.Bool
}

var held waiter // the top of the stack while no process waits for the holder

func NewStack(int) *Stack { return new(Stack) }

func (l *Stack) Lock(int) {
	w := new(waiter)
	for {
		top := l.top.Load()
		if top == nil {
			if l.top.CompareAndSwap(nil, &held) {
				return
			}
			continue
		}
		w.next = top
		if l.top.CompareAndSwap(top, w) {
			break
		}
	}
	for !w.granted.Load() {
	}
}

func (l *Stack) Unlock(int) {
	for {
		top := l.top.Load()
		if top == &held {
			if l.top.CompareAndSwap(top, nil) {
				return
			}
			continue
		}
		if l.top.CompareAndSwap(top, top.next) {
			top.granted.Store(true)
			return
		}
	}
}

// Permits is a stack of three permits. A process takes two permits to enter and puts new
// ones back: a permit on the stack is never one whose address another process has read
// before and still holds.
type Permits struct{ top atomic.Pointer[permit] }

type permit struct{ next *permit }

func NewPermits(int) *Permits {
	l := &Permits{}
	l.top.Store(&permit{&permit{&permit{}}})
	return l
}

func (l *Permits) take() {
	for {
		if p := l.top.Load(); p != nil && l.top.CompareAndSwap(p, p.next) {
			return
		}
	}
}

func (l *Permits) put() {
	p := new(permit)
	for {
		p.next = l.top.Load()
		if l.top.CompareAndSwap(p.next, p) {
			return
		}
	}
}

func (l *Permits) Lock(int) {
	l.take()
	l.take()
}

func (l *Permits) Unlock(int) {
	l.put()
	l.put()
}

// Reused puts the same ones back. A process that has read what is under the top one
// may find that one again when others have gone from under it (ABA), and then
// puts on top what is another's.
type Reused struct {
	top  atomic.Pointer[reused]
	mine [][2]*reused
}

type reused struct{ next atomic.Pointer[reused] }

func NewReused(n int) *Reused {
	l := &Reused{mine: make([][2]*reused, n)}
	for range 3 {
		l.put(new(reused))
	}
	return l
}

func (l *Reused) take() *reused {
	for {
		if p := l.top.Load(); p != nil && l.top.CompareAndSwap(p, p.next.Load()) {
			return p
		}
	}
}

func (l *Reused) put(p *reused) {
	for {
		top := l.top.Load()
		p.next.Store(top)
		if l.top.CompareAndSwap(top, p) {
			return
		}
	}
}

func (l *Reused) Lock(i int) { l.mine[i] = [2]*reused{l.take(), l.take()} }

func (l *Reused) Unlock(i int) {
	l.put(l.mine[i][0])
	l.put(l.mine[i][1])
}
