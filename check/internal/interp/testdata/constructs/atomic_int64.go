package constructs

import "sync/atomic"

// AtomicInt64 is a word of type int64.
type AtomicInt64 struct {
	w atomic.Int64
	x int64
	b bool
}

func NewAtomicInt64(int) *AtomicInt64 { return &AtomicInt64{} }

// Lock makes these accesses:
//
//	store w := 9223372036854775807
//	add w = 9223372036854775807 := -9223372036854775808, x := -9223372036854775808
//	swap w = -9223372036854775808 := 12, x := -9223372036854775808
//	compare-and-swap w = 12, b := false
//	compare-and-swap w = 12 := 13, b := true
//	and w = 13 := 4, x := 13
//	or w = 4 := 13, x := 4
//	load w = 13, x := 13
func (l *AtomicInt64) Lock(int) {
	l.w.Store(1<<63 - 1)
	l.x = l.w.Add(1)
	l.x = l.w.Swap(12)
	l.b = l.w.CompareAndSwap(11, 1)
	l.b = l.w.CompareAndSwap(12, 13)
	l.x = l.w.And(6)
	l.x = l.w.Or(9)
	l.x = l.w.Load()
}

func (l *AtomicInt64) Unlock(int) {}
