package constructs

import "unsafe"

// UnsafeUintptr turns an address into a number.
type UnsafeUintptr struct{ x uintptr }

func NewUnsafeUintptr(int) *UnsafeUintptr { return &UnsafeUintptr{} }

func (l *UnsafeUintptr) Lock(int) {
	l.x = uintptr(unsafe.Pointer(&l.x)) // refused: turns an address into a number
}

func (l *UnsafeUintptr) Unlock(int) {}
