//go:build go1.24

// Package twin is sync/atomic with hooks: the same types, methods and
// functions, on words of the same size, which tell of each access before it is
// made and after it. Its words have the methods of package register too, where a
// store with release order is that of sync/atomic, told as what it is. A build
// overlay puts it in the place of both packages in the locks' own source;
// without one, no lock has a hook in it.
package twin

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Op is the kind of an access.
type Op uint8

// The operations. Those on plain words are the same as those on typed ones.
const (
	OpLoad Op = iota + 1
	OpStore
	OpSwap
	OpCompareAndSwap
	OpAdd
	OpAnd
	OpOr
	OpStoreRelease
)

// Access is an access to the word at Addr, which holds a value of that type.
type Access struct {
	Op   Op
	Addr unsafe.Pointer
	Type reflect.Type
}

// The hooks, which are called if they are not nil. Set them before the first
// access: they are read without synchronization.
var (
	// Before is called before each access, which is made when it returns.
	Before func(Access)
	// After is called after each access, with the bits that the word held and
	// holds: an integer sign-extended if it is signed, an address, 0 or 1. The
	// word is read for it before and after, so that it can be used only where
	// goroutines take turns.
	After func(a Access, before, after uint64)
)

// word is a type of sync/atomic that holds a T.
type word[T, W any] interface {
	*W
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
}

// number is one that holds an integer.
type number[T, W any] interface {
	word[T, W]
	Add(T) T
	And(T) T
	Or(T) T
}

// cell is the twin of W.
type cell[T, W any, P word[T, W]] struct{ w W }

// num is the twin of a W that holds an integer.
type num[T, W any, P number[T, W]] struct{ cell[T, W, P] }

// The types of sync/atomic.
type (
	Bool           = cell[bool, atomic.Bool, *atomic.Bool]
	Value          = cell[any, atomic.Value, *atomic.Value]
	Pointer[T any] = cell[*T, atomic.Pointer[T], *atomic.Pointer[T]]

	Int32   = num[int32, atomic.Int32, *atomic.Int32]
	Int64   = num[int64, atomic.Int64, *atomic.Int64]
	Uint32  = num[uint32, atomic.Uint32, *atomic.Uint32]
	Uint64  = num[uint64, atomic.Uint64, *atomic.Uint64]
	Uintptr = num[uintptr, atomic.Uintptr, *atomic.Uintptr]
)

// do makes an access.
func (x *cell[T, W, P]) do(op Op, act func(P)) {
	p := P(&x.w)
	a := Access{op, unsafe.Pointer(p), reflect.TypeFor[T]()}
	if Before != nil {
		Before(a)
	}
	if After == nil {
		act(p)
		return
	}
	before := bits(p.Load())
	act(p)
	After(a, before, bits(p.Load()))
}

func bits[T any](x T) uint64 {
	switch v := reflect.ValueOf(&x).Elem(); {
	case v.Kind() == reflect.Bool && v.Bool():
		return 1
	case v.CanInt():
		return uint64(v.Int())
	case v.CanUint():
		return v.Uint()
	case v.Kind() == reflect.Pointer:
		return uint64(v.Pointer())
	}
	return 0
}

func (x *cell[T, W, P]) Load() (v T) {
	x.do(OpLoad, func(p P) { v = p.Load() })
	return v
}

func (x *cell[T, W, P]) Store(v T) { x.do(OpStore, func(p P) { p.Store(v) }) }

// Unfenced is Unfenced of package register. A store that is reported has its fence.
const Unfenced = false

func (x *cell[T, W, P]) StoreRelease(v T) { x.do(OpStoreRelease, func(p P) { p.Store(v) }) }

func (x *cell[T, W, P]) StoreReleaseIf(released bool, v T) {
	if released {
		x.StoreRelease(v)
	} else {
		x.Store(v)
	}
}

func (x *cell[T, W, P]) StoreFencedIf(_ bool, v T) { x.Store(v) }

func (x *cell[T, W, P]) Swap(v T) (old T) {
	x.do(OpSwap, func(p P) { old = p.Swap(v) })
	return old
}

func (x *cell[T, W, P]) CompareAndSwap(old, v T) (swapped bool) {
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
