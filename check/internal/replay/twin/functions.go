package twin

import (
	"sync/atomic"
	"unsafe"
)

// The functions on plain words are those of the typed words, at the same
// address.

func LoadInt32(addr *int32) int32          { return (*Int32)(unsafe.Pointer(addr)).Load() }
func StoreInt32(addr *int32, v int32)      { (*Int32)(unsafe.Pointer(addr)).Store(v) }
func SwapInt32(addr *int32, v int32) int32 { return (*Int32)(unsafe.Pointer(addr)).Swap(v) }
func AddInt32(addr *int32, d int32) int32  { return (*Int32)(unsafe.Pointer(addr)).Add(d) }
func AndInt32(addr *int32, m int32) int32  { return (*Int32)(unsafe.Pointer(addr)).And(m) }
func OrInt32(addr *int32, m int32) int32   { return (*Int32)(unsafe.Pointer(addr)).Or(m) }
func CompareAndSwapInt32(addr *int32, old, v int32) bool {
	return (*Int32)(unsafe.Pointer(addr)).CompareAndSwap(old, v)
}

func LoadInt64(addr *int64) int64          { return (*Int64)(unsafe.Pointer(addr)).Load() }
func StoreInt64(addr *int64, v int64)      { (*Int64)(unsafe.Pointer(addr)).Store(v) }
func SwapInt64(addr *int64, v int64) int64 { return (*Int64)(unsafe.Pointer(addr)).Swap(v) }
func AddInt64(addr *int64, d int64) int64  { return (*Int64)(unsafe.Pointer(addr)).Add(d) }
func AndInt64(addr *int64, m int64) int64  { return (*Int64)(unsafe.Pointer(addr)).And(m) }
func OrInt64(addr *int64, m int64) int64   { return (*Int64)(unsafe.Pointer(addr)).Or(m) }
func CompareAndSwapInt64(addr *int64, old, v int64) bool {
	return (*Int64)(unsafe.Pointer(addr)).CompareAndSwap(old, v)
}

func LoadUint32(addr *uint32) uint32           { return (*Uint32)(unsafe.Pointer(addr)).Load() }
func StoreUint32(addr *uint32, v uint32)       { (*Uint32)(unsafe.Pointer(addr)).Store(v) }
func SwapUint32(addr *uint32, v uint32) uint32 { return (*Uint32)(unsafe.Pointer(addr)).Swap(v) }
func AddUint32(addr *uint32, d uint32) uint32  { return (*Uint32)(unsafe.Pointer(addr)).Add(d) }
func AndUint32(addr *uint32, m uint32) uint32  { return (*Uint32)(unsafe.Pointer(addr)).And(m) }
func OrUint32(addr *uint32, m uint32) uint32   { return (*Uint32)(unsafe.Pointer(addr)).Or(m) }
func CompareAndSwapUint32(addr *uint32, old, v uint32) bool {
	return (*Uint32)(unsafe.Pointer(addr)).CompareAndSwap(old, v)
}

func LoadUint64(addr *uint64) uint64           { return (*Uint64)(unsafe.Pointer(addr)).Load() }
func StoreUint64(addr *uint64, v uint64)       { (*Uint64)(unsafe.Pointer(addr)).Store(v) }
func SwapUint64(addr *uint64, v uint64) uint64 { return (*Uint64)(unsafe.Pointer(addr)).Swap(v) }
func AddUint64(addr *uint64, d uint64) uint64  { return (*Uint64)(unsafe.Pointer(addr)).Add(d) }
func AndUint64(addr *uint64, m uint64) uint64  { return (*Uint64)(unsafe.Pointer(addr)).And(m) }
func OrUint64(addr *uint64, m uint64) uint64   { return (*Uint64)(unsafe.Pointer(addr)).Or(m) }
func CompareAndSwapUint64(addr *uint64, old, v uint64) bool {
	return (*Uint64)(unsafe.Pointer(addr)).CompareAndSwap(old, v)
}

func LoadUintptr(addr *uintptr) uintptr            { return (*Uintptr)(unsafe.Pointer(addr)).Load() }
func StoreUintptr(addr *uintptr, v uintptr)        { (*Uintptr)(unsafe.Pointer(addr)).Store(v) }
func SwapUintptr(addr *uintptr, v uintptr) uintptr { return (*Uintptr)(unsafe.Pointer(addr)).Swap(v) }
func AddUintptr(addr *uintptr, d uintptr) uintptr  { return (*Uintptr)(unsafe.Pointer(addr)).Add(d) }
func AndUintptr(addr *uintptr, m uintptr) uintptr  { return (*Uintptr)(unsafe.Pointer(addr)).And(m) }
func OrUintptr(addr *uintptr, m uintptr) uintptr   { return (*Uintptr)(unsafe.Pointer(addr)).Or(m) }
func CompareAndSwapUintptr(addr *uintptr, old, v uintptr) bool {
	return (*Uintptr)(unsafe.Pointer(addr)).CompareAndSwap(old, v)
}

func pointer(op uint8, addr *unsafe.Pointer, act func()) {
	access(op, unsafe.Pointer(addr), true, func() unsafe.Pointer { return atomic.LoadPointer(addr) },
		func(v unsafe.Pointer) uint64 { return uint64(uintptr(v)) }, act)
}

func LoadPointer(addr *unsafe.Pointer) (v unsafe.Pointer) {
	pointer(OpLoad, addr, func() { v = atomic.LoadPointer(addr) })
	return v
}

func StorePointer(addr *unsafe.Pointer, v unsafe.Pointer) {
	pointer(OpStore, addr, func() { atomic.StorePointer(addr, v) })
}

func SwapPointer(addr *unsafe.Pointer, v unsafe.Pointer) (old unsafe.Pointer) {
	pointer(OpSwap, addr, func() { old = atomic.SwapPointer(addr, v) })
	return old
}

func CompareAndSwapPointer(addr *unsafe.Pointer, old, v unsafe.Pointer) (swapped bool) {
	pointer(OpCompareAndSwap, addr, func() { swapped = atomic.CompareAndSwapPointer(addr, old, v) })
	return swapped
}
