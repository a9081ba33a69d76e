package constructs

import "sync/atomic"

// AtomicUintptr is a word of type uintptr.
type AtomicUintptr struct {
	w atomic.Uintptr
	x uintptr
	b bool
}

func NewAtomicUintptr(int) *AtomicUintptr { return &AtomicUintptr{} }

// Lock makes these accesses:
//
//	store w := 18446744073709551615
//	add w = 18446744073709551615 := 0, x := 0
//	swap w = 0 := 12, x := 0
//	compare-and-swap w = 12, b := false
//	compare-and-swap w = 12 := 13, b := true
//	and w = 13 := 4, x := 13
//	or w = 4 := 13, x := 4
//	load w = 13, x := 13
func (l *AtomicUintptr) Lock(int) {
	l.w.Store(1<<64 - 1)
	l.x = l.w.Add(1)
	l.x = l.w.Swap(12)
	l.b = l.w.CompareAndSwap(11, 1)
	l.b = l.w.CompareAndSwap(12, 13)
	l.x = l.w.And(6)
	l.x = l.w.Or(9)
	l.x = l.w.Load()
}

func (l *AtomicUintptr) Unlock(int) {}
