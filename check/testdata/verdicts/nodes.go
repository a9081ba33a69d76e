package verdicts

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

type node struct {
	next atomic.Pointer[node]
	wait atomic.Bool
}

// Pointer TAS.
type PtrTAS struct{ p atomic.Pointer[node] }

func NewPtrTAS(int) *PtrTAS { return new(PtrTAS) } // want: !sf
func (l *PtrTAS) Lock(int) {
	n := new(node)
	for !l.p.CompareAndSwap(nil, n) {
	}
}
func (l *PtrTAS) Unlock(int) { l.p.Store(nil) }

// Unlock by CAS with remembered node: holder's own.
type PtrCAS struct {
	p    atomic.Pointer[node]
	mine []*node
}

func NewPtrCAS(n int) *PtrCAS { return &PtrCAS{mine: make([]*node, n)} } // want: !sf
func (l *PtrCAS) Lock(i int) {
	l.mine[i] = &node{}
	for !l.p.CompareAndSwap(nil, l.mine[i]) {
	}
}
func (l *PtrCAS) Unlock(i int) {
	if !l.p.CompareAndSwap(l.mine[i], nil) {
		panic("not mine")
	}
}

// Fresh node each try: allocation in a loop.
type PtrEach struct{ p atomic.Pointer[node] }

func NewPtrEach(int) *PtrEach { return new(PtrEach) } // want: !sf
func (l *PtrEach) Lock(int) {
	for !l.p.CompareAndSwap(nil, &node{}) {
	}
}
func (l *PtrEach) Unlock(int) { l.p.Store(nil) }

// MCS with private pool of nodes, reused.
type Pool struct {
	tail atomic.Pointer[node]
	free [][]*node
	mine []*node
}

func NewPool(n int) *Pool { // want: ok
	l := &Pool{free: make([][]*node, n), mine: make([]*node, n)}
	for i := range l.free {
		l.free[i] = []*node{{}, {}}
	}
	return l
}
func (l *Pool) Lock(i int) {
	x := l.free[i][0]
	l.free[i][0], l.free[i][1] = l.free[i][1], l.free[i][0]
	l.mine[i] = x
	x.next.Store(nil)
	x.wait.Store(true)
	if p := l.tail.Swap(x); p != nil {
		p.next.Store(x)
		for x.wait.Load() {
			runtime.Gosched()
		}
	}
}
func (l *Pool) Unlock(i int) {
	x := l.mine[i]
	if x.next.Load() == nil {
		if l.tail.CompareAndSwap(x, nil) {
			return
		}
		for x.next.Load() == nil {
		}
	}
	x.next.Load().wait.Store(false)
}

// Nodes in a map built by New.
type MapNodes struct {
	tail atomic.Pointer[node]
	node map[int]*node
}

func NewMapNodes(n int) *MapNodes { // want: ok
	l := &MapNodes{node: map[int]*node{}}
	for i := 0; i < n; i++ {
		l.node[i] = &node{}
	}
	return l
}
func (l *MapNodes) Lock(i int) {
	x := l.node[i]
	x.next.Store(nil)
	x.wait.Store(true)
	if p := l.tail.Swap(x); p != nil {
		p.next.Store(x)
		for x.wait.Load() {
		}
	}
}
func (l *MapNodes) Unlock(i int) {
	x := l.node[i]
	if x.next.Load() == nil && l.tail.CompareAndSwap(x, nil) {
		return
	}
	for x.next.Load() == nil {
	}
	x.next.Load().wait.Store(false)
}

// Unsafe pointer, untagged.
type Unsafe struct{ p unsafe.Pointer }

func NewUnsafe(int) *Unsafe { return new(Unsafe) } // want: !sf
func (l *Unsafe) Lock(int) {
	n := new(node)
	for !atomic.CompareAndSwapPointer(&l.p, nil, unsafe.Pointer(n)) {
	}
}
func (l *Unsafe) Unlock(int) { atomic.StorePointer(&l.p, nil) }

// Pointer to pointer.
type PP struct{ pp **node }

func NewPP(int) *PP { n := new(node); return &PP{&n} } // want: !sf
func (l *PP) Lock(int) {
	for (**l.pp).wait.Swap(true) {
	}
}
func (l *PP) Unlock(int) { (*l.pp).wait.Store(false) }

// A queue in the order of a swap; each process spins on the node before its own.
type waiter struct{ done atomic.Bool }
type List struct {
	last atomic.Pointer[waiter]
	mine map[int]**waiter
}

func NewList(n int) *List { // want: ok
	l := &List{mine: make(map[int]**waiter)}
	for i := range n {
		l.mine[i] = new(*waiter)
	}
	l.last.Store(&waiter{})
	l.last.Load().done.Store(true)
	return l
}
func (l *List) Lock(i int) {
	w := &waiter{}
	*l.mine[i] = w
	for p := l.last.Swap(w); !p.done.Load(); {
	}
}
func (l *List) Unlock(i int) { (*l.mine[i]).done.Store(true) }

// The same, done too early.
type ListEarly struct{ *List }

func NewListEarly(n int) ListEarly { return ListEarly{NewList(n)} } // want: !me
func (l ListEarly) Lock(i int) {
	w := &waiter{}
	*l.mine[i] = w
	p := l.last.Swap(w)
	for !p.done.Load() {
	}
	p.done.Store(false)
	w.done.Store(true)
}
