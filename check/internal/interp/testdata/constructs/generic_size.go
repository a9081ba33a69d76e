package constructs

import "unsafe"

// GenericSize asks for the size of a type parameter.
type GenericSize struct{ x uintptr }

func NewGenericSize(int) *GenericSize { return &GenericSize{} }

func size[T any]() uintptr {
	var v T
	return unsafe.Sizeof(v)*10 + unsafe.Alignof(v)
}

// Lock makes these accesses:
//
//	x := 22, x := 124
func (l *GenericSize) Lock(int) {
	l.x = size[int16]()
	l.x = size[[3]int32]()
}

func (l *GenericSize) Unlock(int) {}
