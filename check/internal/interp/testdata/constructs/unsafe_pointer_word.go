package constructs

import "unsafe"

// UnsafePointerWord stores an address as one of another type.
type UnsafePointerWord struct {
	p *pair
	x int
}

func NewUnsafePointerWord(int) *UnsafePointerWord { return &UnsafePointerWord{p: &pair{3, 4}} }

// Lock makes these accesses:
//
//	p := cell -1.0, p = cell -1.0, x := 6, p := cell -2.0
func (l *UnsafePointerWord) Lock(int) {
	*(**[2]int)(unsafe.Pointer(&l.p)) = &[2]int{5, 6}
	l.x = l.p.b
	*(**uint8)(unsafe.Pointer(&l.p)) = new(uint8)
	l.x = l.p.b // refused: sees memory of type uint8 as constructs.pair, which is laid out in another way
}

func (l *UnsafePointerWord) Unlock(int) {}
