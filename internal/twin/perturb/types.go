package perturb

import "sync/atomic"

// Bool is atomic.Bool, disturbed.
type Bool struct{ real atomic.Bool }

func (x *Bool) Load() bool {
	disturb()
	return x.real.Load()
}

func (x *Bool) Store(val bool) {
	disturb()
	x.real.Store(val)
}

func (x *Bool) Swap(new bool) (old bool) {
	disturb()
	return x.real.Swap(new)
}

func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	disturb()
	return x.real.CompareAndSwap(old, new)
}

// Int32 is atomic.Int32, disturbed.
type Int32 struct{ real atomic.Int32 }

func (x *Int32) Load() int32 {
	disturb()
	return x.real.Load()
}

func (x *Int32) Store(val int32) {
	disturb()
	x.real.Store(val)
}

func (x *Int32) Swap(new int32) (old int32) {
	disturb()
	return x.real.Swap(new)
}

func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	disturb()
	return x.real.CompareAndSwap(old, new)
}

func (x *Int32) Add(delta int32) (new int32) {
	disturb()
	return x.real.Add(delta)
}

func (x *Int32) And(mask int32) (old int32) {
	disturb()
	return x.real.And(mask)
}

func (x *Int32) Or(mask int32) (old int32) {
	disturb()
	return x.real.Or(mask)
}

// Int64 is atomic.Int64, disturbed.
type Int64 struct{ real atomic.Int64 }

func (x *Int64) Load() int64 {
	disturb()
	return x.real.Load()
}

func (x *Int64) Store(val int64) {
	disturb()
	x.real.Store(val)
}

func (x *Int64) Swap(new int64) (old int64) {
	disturb()
	return x.real.Swap(new)
}

func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	disturb()
	return x.real.CompareAndSwap(old, new)
}

func (x *Int64) Add(delta int64) (new int64) {
	disturb()
	return x.real.Add(delta)
}

func (x *Int64) And(mask int64) (old int64) {
	disturb()
	return x.real.And(mask)
}

func (x *Int64) Or(mask int64) (old int64) {
	disturb()
	return x.real.Or(mask)
}

// Uint32 is atomic.Uint32, disturbed.
type Uint32 struct{ real atomic.Uint32 }

func (x *Uint32) Load() uint32 {
	disturb()
	return x.real.Load()
}

func (x *Uint32) Store(val uint32) {
	disturb()
	x.real.Store(val)
}

func (x *Uint32) Swap(new uint32) (old uint32) {
	disturb()
	return x.real.Swap(new)
}

func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	disturb()
	return x.real.CompareAndSwap(old, new)
}

func (x *Uint32) Add(delta uint32) (new uint32) {
	disturb()
	return x.real.Add(delta)
}

func (x *Uint32) And(mask uint32) (old uint32) {
	disturb()
	return x.real.And(mask)
}

func (x *Uint32) Or(mask uint32) (old uint32) {
	disturb()
	return x.real.Or(mask)
}

// Uint64 is atomic.Uint64, disturbed.
type Uint64 struct{ real atomic.Uint64 }

func (x *Uint64) Load() uint64 {
	disturb()
	return x.real.Load()
}

func (x *Uint64) Store(val uint64) {
	disturb()
	x.real.Store(val)
}

func (x *Uint64) Swap(new uint64) (old uint64) {
	disturb()
	return x.real.Swap(new)
}

func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	disturb()
	return x.real.CompareAndSwap(old, new)
}

func (x *Uint64) Add(delta uint64) (new uint64) {
	disturb()
	return x.real.Add(delta)
}

func (x *Uint64) And(mask uint64) (old uint64) {
	disturb()
	return x.real.And(mask)
}

func (x *Uint64) Or(mask uint64) (old uint64) {
	disturb()
	return x.real.Or(mask)
}

// Uintptr is atomic.Uintptr, disturbed.
type Uintptr struct{ real atomic.Uintptr }

func (x *Uintptr) Load() uintptr {
	disturb()
	return x.real.Load()
}

func (x *Uintptr) Store(val uintptr) {
	disturb()
	x.real.Store(val)
}

func (x *Uintptr) Swap(new uintptr) (old uintptr) {
	disturb()
	return x.real.Swap(new)
}

func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	disturb()
	return x.real.CompareAndSwap(old, new)
}

func (x *Uintptr) Add(delta uintptr) (new uintptr) {
	disturb()
	return x.real.Add(delta)
}

func (x *Uintptr) And(mask uintptr) (old uintptr) {
	disturb()
	return x.real.And(mask)
}

func (x *Uintptr) Or(mask uintptr) (old uintptr) {
	disturb()
	return x.real.Or(mask)
}

// Pointer is atomic.Pointer, disturbed.
type Pointer[T any] struct{ real atomic.Pointer[T] }

func (x *Pointer[T]) Load() *T {
	disturb()
	return x.real.Load()
}

func (x *Pointer[T]) Store(val *T) {
	disturb()
	x.real.Store(val)
}

func (x *Pointer[T]) Swap(new *T) (old *T) {
	disturb()
	return x.real.Swap(new)
}

func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	disturb()
	return x.real.CompareAndSwap(old, new)
}
