package constructs

import "sync/atomic"

// AtomicUint32 is a word of type uint32.
type AtomicUint32 struct {
	w atomic.Uint32
	x uint32
	b bool
}

func NewAtomicUint32(int) *AtomicUint32 { return &AtomicUint32{} }

// Lock makes these accesses:
//
//	store w := 4294967295
//	add w = 4294967295 := 0, x := 0
//	swap w = 0 := 12, x := 0
//	compare-and-swap w = 12, b := false
//	compare-and-swap w = 12 := 13, b := true
//	and w = 13 := 4, x := 13
//	or w = 4 := 13, x := 4
//	load w = 13, x := 13
func (l *AtomicUint32) Lock(int) {
	l.w.Store(1<<32 - 1)
	l.x = l.w.Add(1)
	l.x = l.w.Swap(12)
	l.b = l.w.CompareAndSwap(11, 1)
	l.b = l.w.CompareAndSwap(12, 13)
	l.x = l.w.And(6)
	l.x = l.w.Or(9)
	l.x = l.w.Load()
}

func (l *AtomicUint32) Unlock(int) {}
