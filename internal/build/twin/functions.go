//go:build go1.24

package twin

import "unsafe"

// The functions of sync/atomic are the methods of the typed words, at the same
// addresses.
var (
	LoadInt32, StoreInt32, SwapInt32, CompareAndSwapInt32, AddInt32, AndInt32, OrInt32               = functions[Int32, int32]()
	LoadInt64, StoreInt64, SwapInt64, CompareAndSwapInt64, AddInt64, AndInt64, OrInt64               = functions[Int64, int64]()
	LoadUint32, StoreUint32, SwapUint32, CompareAndSwapUint32, AddUint32, AndUint32, OrUint32        = functions[Uint32, uint32]()
	LoadUint64, StoreUint64, SwapUint64, CompareAndSwapUint64, AddUint64, AndUint64, OrUint64        = functions[Uint64, uint64]()
	LoadUintptr, StoreUintptr, SwapUintptr, CompareAndSwapUintptr, AddUintptr, AndUintptr, OrUintptr = functions[Uintptr, uintptr]()
)

func functions[W, T any, P number[T, W]]() (
	load func(addr *T) (val T), store func(addr *T, val T), swap func(addr *T, new T) (old T),
	compareAndSwap func(addr *T, old, new T) (swapped bool), add func(addr *T, delta T) (new T), and, or func(addr *T, mask T) (old T),
) {
	at := func(addr *T) P { return P(unsafe.Pointer(addr)) }
	return func(addr *T) T { return at(addr).Load() },
		func(addr *T, v T) { at(addr).Store(v) },
		func(addr *T, v T) T { return at(addr).Swap(v) },
		func(addr *T, old, v T) bool { return at(addr).CompareAndSwap(old, v) },
		func(addr *T, delta T) T { return at(addr).Add(delta) },
		func(addr *T, mask T) T { return at(addr).And(mask) },
		func(addr *T, mask T) T { return at(addr).Or(mask) }
}

func at(addr *unsafe.Pointer) *Pointer[byte] { return (*Pointer[byte])(unsafe.Pointer(addr)) }

func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) { return unsafe.Pointer(at(addr).Load()) }

func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) { at(addr).Store((*byte)(val)) }

func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	return unsafe.Pointer(at(addr).Swap((*byte)(new)))
}

func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return at(addr).CompareAndSwap((*byte)(old), (*byte)(new))
}
