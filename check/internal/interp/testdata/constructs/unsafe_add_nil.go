package constructs

import "unsafe"

// UnsafeAddNil moves an address from nil.
type UnsafeAddNil struct{ x int }

func NewUnsafeAddNil(int) *UnsafeAddNil { return &UnsafeAddNil{} }

func (l *UnsafeAddNil) Lock(int) {
	_ = unsafe.Add(nil, 8) // refused: turns a number into an address
}

func (l *UnsafeAddNil) Unlock(int) {}
