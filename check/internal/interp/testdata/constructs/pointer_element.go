package constructs

// PointerElement leads to an element, a field or another pointer.
type PointerElement struct {
	a [2]point2
	x int
}

func NewPointerElement(int) *PointerElement { return &PointerElement{} }

type point2 struct{ x, y int }

// Lock makes these accesses:
//
//	a[1].y := 4, a[1].y = 4, a[1].y := 8
func (l *PointerElement) Lock(int) {
	p := &l.a[1]
	q := &p
	(*q).y = 4
	y := &(*q).y
	*y *= 2
}

func (l *PointerElement) Unlock(int) {}
