package nodes

import (
	"sync/atomic"
	"unsafe"
)

// Plain hands a word over in a plain field of a node on the stack of Lock: the
// list orders its accesses.
type Plain struct {
	tail  atomic.Pointer[plainNode]
	owner int
	last  *plainNode
}

type plainNode struct {
	next atomic.Pointer[plainNode]
	ok   atomic.Bool
	from int
}

func NewPlain(int) *Plain { return new(Plain) }

func (l *Plain) Lock(i int) {
	var n plainNode
	n.from = -1
	if pred := l.tail.Swap(&n); pred != nil {
		pred.next.Store(&n)
		for !n.ok.Load() {
		}
		if n.from != l.owner || n.from == i {
			panic("not from the last holder")
		}
	}
	l.owner, l.last = i, &n
}

func (l *Plain) Unlock(i int) {
	n := l.last
	if n.next.Load() == nil && l.tail.CompareAndSwap(n, nil) {
		return
	}
	for n.next.Load() == nil {
	}
	next := n.next.Load()
	next.from = i
	next.ok.Store(true)
}

// Racing writes it too late.
type Racing struct{ Plain }

func NewRacing(int) *Racing { return new(Racing) }

func (l *Racing) Unlock(i int) {
	n := l.last
	if n.next.Load() == nil && l.tail.CompareAndSwap(n, nil) {
		return
	}
	for n.next.Load() == nil {
	}
	next := n.next.Load()
	next.ok.Store(true)
	next.from = i
}

// Untyped has its nodes behind unsafe pointers.
type Untyped struct {
	tail unsafe.Pointer
	mine []*clhNode
}

func NewUntyped(n int) *Untyped {
	return &Untyped{mine: make([]*clhNode, n)}
}

func (l *Untyped) Lock(i int) {
	n := new(clhNode)
	n.locked.Store(true)
	pred := (*clhNode)(atomic.SwapPointer(&l.tail, unsafe.Pointer(n)))
	for pred != nil && pred.locked.Load() {
	}
	l.mine[i] = n
}

func (l *Untyped) Unlock(i int) { l.mine[i].locked.Store(false) }

// Parts shares a field of what it has allocated.
type Parts struct {
	tail atomic.Pointer[atomic.Bool]
	mine []*atomic.Bool
}

func NewParts(n int) *Parts { return &Parts{mine: make([]*atomic.Bool, n)} }

func (l *Parts) Lock(i int) {
	n := &struct{ count, locked atomic.Bool }{}
	n.locked.Store(true)
	l.mine[i] = &n.locked
	if pred := l.tail.Swap(&n.locked); pred != nil {
		for pred.Load() {
		}
	}
}

func (l *Parts) Unlock(i int) { l.mine[i].Store(false) }

// Sliced queues by slices of two words.
type Sliced struct {
	tail atomic.Pointer[[]atomic.Bool]
	mine []*[]atomic.Bool
}

func NewSliced(n int) *Sliced { return &Sliced{mine: make([]*[]atomic.Bool, n)} }

func (l *Sliced) Lock(i int) {
	words := make([]atomic.Bool, 2)
	words[1].Store(true)
	if pred := l.tail.Swap(&words); pred != nil {
		for (*pred)[1].Load() {
		}
	}
	l.mine[i] = &words
}

func (l *Sliced) Unlock(i int) { (*l.mine[i])[1].Store(false) }
