// Package twin is a sync/atomic in which every access waits to be scheduled,
// and is recorded. A lock that is compiled with it takes one step at a time, as
// it does in the checker.
package twin

import (
	"sync/atomic"
	"unsafe"
)

// The operations, numbered as the checker numbers them.
const (
	OpLoad uint8 = iota + 1
	OpStore
	OpSwap
	OpCompareAndSwap
	OpAdd
	OpAnd
	OpOr
)

// Record is an access that was made.
type Record struct {
	Op      uint8
	Addr    uint64
	Pointer bool // the word holds an address
	Before  uint64
	After   uint64
}

var (
	// Pause, if not nil, is called before each access, and returns when the
	// access may be made.
	Pause func()
	// Last is the access that was made last.
	Last Record
)

// access makes an access to the word w.
func access[T any](op uint8, addr unsafe.Pointer, pointer bool, load func() T, bits func(T) uint64, act func()) {
	if Pause != nil {
		Pause()
	}
	before := bits(load())
	act()
	Last = Record{op, uint64(uintptr(addr)), pointer, before, bits(load())}
}

type integer interface {
	~int32 | ~int64 | ~uint32 | ~uint64 | ~uintptr
}

type number[T integer, W any] interface {
	*W
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
	Add(T) T
	And(T) T
	Or(T) T
}

// num is a word that holds a number.
type num[T integer, W any, P number[T, W]] struct{ w W }

func (x *num[T, W, P]) do(op uint8, act func(P)) {
	p := P(&x.w)
	access(op, unsafe.Pointer(p), false, p.Load, func(v T) uint64 { return uint64(v) }, func() { act(p) })
}

func (x *num[T, W, P]) Load() (v T) {
	x.do(OpLoad, func(p P) { v = p.Load() })
	return v
}

func (x *num[T, W, P]) Store(v T) { x.do(OpStore, func(p P) { p.Store(v) }) }

func (x *num[T, W, P]) Swap(v T) (old T) {
	x.do(OpSwap, func(p P) { old = p.Swap(v) })
	return old
}

func (x *num[T, W, P]) CompareAndSwap(old, v T) (swapped bool) {
	x.do(OpCompareAndSwap, func(p P) { swapped = p.CompareAndSwap(old, v) })
	return swapped
}

func (x *num[T, W, P]) Add(delta T) (v T) {
	x.do(OpAdd, func(p P) { v = p.Add(delta) })
	return v
}

func (x *num[T, W, P]) And(mask T) (old T) {
	x.do(OpAnd, func(p P) { old = p.And(mask) })
	return old
}

func (x *num[T, W, P]) Or(mask T) (old T) {
	x.do(OpOr, func(p P) { old = p.Or(mask) })
	return old
}

// The words of sync/atomic.
type (
	Int32   = num[int32, atomic.Int32, *atomic.Int32]
	Int64   = num[int64, atomic.Int64, *atomic.Int64]
	Uint32  = num[uint32, atomic.Uint32, *atomic.Uint32]
	Uint64  = num[uint64, atomic.Uint64, *atomic.Uint64]
	Uintptr = num[uintptr, atomic.Uintptr, *atomic.Uintptr]
	Value   = atomic.Value
)

// Bool is atomic.Bool.
type Bool struct{ w atomic.Bool }

func (x *Bool) do(op uint8, act func()) {
	access(op, unsafe.Pointer(x), false, x.w.Load, func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}, act)
}

func (x *Bool) Load() (v bool) {
	x.do(OpLoad, func() { v = x.w.Load() })
	return v
}

func (x *Bool) Store(v bool) { x.do(OpStore, func() { x.w.Store(v) }) }

func (x *Bool) Swap(v bool) (old bool) {
	x.do(OpSwap, func() { old = x.w.Swap(v) })
	return old
}

func (x *Bool) CompareAndSwap(old, v bool) (swapped bool) {
	x.do(OpCompareAndSwap, func() { swapped = x.w.CompareAndSwap(old, v) })
	return swapped
}

// Pointer is atomic.Pointer.
type Pointer[T any] struct{ w atomic.Pointer[T] }

func (x *Pointer[T]) do(op uint8, act func()) {
	access(op, unsafe.Pointer(x), true, x.w.Load, func(v *T) uint64 { return uint64(uintptr(unsafe.Pointer(v))) }, act)
}

func (x *Pointer[T]) Load() (v *T) {
	x.do(OpLoad, func() { v = x.w.Load() })
	return v
}

func (x *Pointer[T]) Store(v *T) { x.do(OpStore, func() { x.w.Store(v) }) }

func (x *Pointer[T]) Swap(v *T) (old *T) {
	x.do(OpSwap, func() { old = x.w.Swap(v) })
	return old
}

func (x *Pointer[T]) CompareAndSwap(old, v *T) (swapped bool) {
	x.do(OpCompareAndSwap, func() { swapped = x.w.CompareAndSwap(old, v) })
	return swapped
}
