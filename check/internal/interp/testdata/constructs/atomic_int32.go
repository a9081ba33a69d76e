package constructs

import "sync/atomic"

// AtomicInt32 is a word of type int32.
type AtomicInt32 struct {
	w atomic.Int32
	x int32
	b bool
}

func NewAtomicInt32(int) *AtomicInt32 { return &AtomicInt32{} }

// Lock makes these accesses:
//
//	store w := 2147483647
//	add w = 2147483647 := -2147483648, x := -2147483648
//	swap w = -2147483648 := 12, x := -2147483648
//	compare-and-swap w = 12, b := false
//	compare-and-swap w = 12 := 13, b := true
//	and w = 13 := 4, x := 13
//	or w = 4 := 13, x := 4
//	load w = 13, x := 13
func (l *AtomicInt32) Lock(int) {
	l.w.Store(1<<31 - 1)
	l.x = l.w.Add(1)
	l.x = l.w.Swap(12)
	l.b = l.w.CompareAndSwap(11, 1)
	l.b = l.w.CompareAndSwap(12, 13)
	l.x = l.w.And(6)
	l.x = l.w.Or(9)
	l.x = l.w.Load()
}

func (l *AtomicInt32) Unlock(int) {}
