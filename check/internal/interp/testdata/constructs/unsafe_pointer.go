package constructs

import "unsafe"

// UnsafePointer sees memory as another type of the same layout.
type UnsafePointer struct {
	x uint32
	y int
}

func NewUnsafePointer(int) *UnsafePointer { return &UnsafePointer{x: 1<<32 - 1} }

// Lock makes these accesses:
//
//	x = 4294967295, y := -1, y := 12
func (l *UnsafePointer) Lock(int) {
	l.y = int(*(*int32)(unsafe.Pointer(&l.x)))
	l.y = int(unsafe.Sizeof(l.x)) + int(unsafe.Offsetof(l.y))
}

func (l *UnsafePointer) Unlock(int) {}
