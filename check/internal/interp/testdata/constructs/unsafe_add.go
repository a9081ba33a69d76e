package constructs

import "unsafe"

// UnsafeAdd moves from word to word of a variable.
type UnsafeAdd struct {
	x uint8
	y uint32
}

func NewUnsafeAdd(int) *UnsafeAdd { return &UnsafeAdd{} }

// Lock makes these accesses:
//
//	y := 1
func (l *UnsafeAdd) Lock(int) {
	p := unsafe.Pointer(&l.x)
	*(*uint32)(unsafe.Add(p, 4)) = 1
	_ = unsafe.Add(p, 2) // refused: moves an address to where no word of its variable begins
}

func (l *UnsafeAdd) Unlock(int) {}
