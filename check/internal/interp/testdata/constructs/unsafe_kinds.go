package constructs

import "unsafe"

// UnsafeKinds sees a number as what is none.
type UnsafeKinds struct {
	n int
	s string
	x int
}

func NewUnsafeKinds(int) *UnsafeKinds { return &UnsafeKinds{s: "a"} }

// Lock makes these accesses:
//
//	s = "a", x := 1
func (l *UnsafeKinds) Lock(int) {
	l.x = len(*(*string)(unsafe.Pointer(&l.s)))
	l.x = int(*(*float64)(unsafe.Pointer(&l.n))) // refused: sees memory of type constructs.UnsafeKinds as float64, which is laid out in another way
}

func (l *UnsafeKinds) Unlock(int) {}
