package constructs

import "sync/atomic"

// AtomicPointer is a word that leads to a variable.
type AtomicPointer struct {
	w    atomic.Pointer[int]
	x, y int
	b    bool
}

func NewAtomicPointer(int) *AtomicPointer { return &AtomicPointer{} }

// Lock makes these accesses:
//
//	store w := x
//	load w = x, x := 3
//	compare-and-swap w = x, b := false
//	compare-and-swap w = x := y, b := true
//	swap w = y := nil, b := true
func (l *AtomicPointer) Lock(int) {
	l.w.Store(&l.x)
	*l.w.Load() = 3
	l.b = l.w.CompareAndSwap(&l.y, nil)
	l.b = l.w.CompareAndSwap(&l.x, &l.y)
	l.b = l.w.Swap(nil) == &l.y
}

func (l *AtomicPointer) Unlock(int) {}
