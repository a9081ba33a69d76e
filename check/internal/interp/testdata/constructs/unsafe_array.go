package constructs

import "unsafe"

// UnsafeArray sees an array as another of the same layout.
type UnsafeArray struct {
	a [2]uint32
	p *pair
	x int
}

func NewUnsafeArray(int) *UnsafeArray { return &UnsafeArray{a: [2]uint32{1, 2}, p: &pair{3, 4}} }

// Lock makes these accesses:
//
//	a[1] = 2, x := 2, p = p, p.b = 4, x := 4, p = p, p.a = 3, x := 3, p = p, p.a = 3,
//	x := 3
func (l *UnsafeArray) Lock(int) {
	l.x = int((*[2]int32)(unsafe.Pointer(&l.a))[1])
	l.x = (*[2]int)(unsafe.Pointer(l.p))[1]
	l.x = (*struct{ b int })(unsafe.Pointer(l.p)).b
	_ = (*[1]struct{})(unsafe.Pointer(&l.a))
	l.x = (*(**[2]int)(unsafe.Pointer(&l.p)))[0]
	l.x = int((*[3]int32)(unsafe.Pointer(&l.a))[0]) // refused: sees memory of type constructs.UnsafeArray as [3]int32, which is laid out in another way
}

func (l *UnsafeArray) Unlock(int) {}
