package constructs

import "unsafe"

// UnsafeLayout sees memory as a type of another layout.
type UnsafeLayout struct {
	x uint64
	y uint32
}

func NewUnsafeLayout(int) *UnsafeLayout { return &UnsafeLayout{} }

func (l *UnsafeLayout) Lock(int) {
	l.y = *(*uint32)(unsafe.Pointer(&l.x)) // refused: sees memory of type constructs.UnsafeLayout as uint32, which is laid out in another way
}

func (l *UnsafeLayout) Unlock(int) {}
