package constructs

import (
	"sync/atomic"
	"unsafe"
)

// AtomicFunctions makes atomic accesses to words of plain types.
type AtomicFunctions struct {
	i int32
	u uint64
	p unsafe.Pointer
	b bool
	x uint64
}

func NewAtomicFunctions(int) *AtomicFunctions { return &AtomicFunctions{} }

// Lock makes these accesses:
//
//	store i := -1
//	add i = -1 := -2, x := 18446744073709551614
//	compare-and-swap i = -2 := 6, b := true
//	and i = 6 := 2, x := 6
//	or u = 0 := 9223372036854775808, x := 0
//	swap u = 9223372036854775808 := 2, x := 9223372036854775808
//	load u = 2, x := 2
//	store p := u
//	load p = u, b := true
func (l *AtomicFunctions) Lock(int) {
	atomic.StoreInt32(&l.i, -1)
	l.x = uint64(atomic.AddInt32(&l.i, -1))
	l.b = atomic.CompareAndSwapInt32(&l.i, -2, 6)
	l.x = uint64(atomic.AndInt32(&l.i, 3))
	l.x = atomic.OrUint64(&l.u, 1<<63)
	l.x = atomic.SwapUint64(&l.u, 2)
	l.x = atomic.LoadUint64(&l.u)
	atomic.StorePointer(&l.p, unsafe.Pointer(&l.u))
	l.b = atomic.LoadPointer(&l.p) == unsafe.Pointer(&l.u)
}

func (l *AtomicFunctions) Unlock(int) {}
