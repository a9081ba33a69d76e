package constructs

// Pointer reads and writes through an address.
type Pointer struct {
	x, y int
	p    *int
}

func NewPointer(int) *Pointer { return &Pointer{} }

// Lock makes these accesses:
//
//	p := x, p = x, x := 3, p := y, p = y, y = 0, y := 1, p = y, p = y, y = 1, x := 1
func (l *Pointer) Lock(int) {
	l.p = &l.x
	*l.p = 3
	l.p = &l.y
	*l.p++
	if l.p != nil {
		l.x = *l.p
	}
}

func (l *Pointer) Unlock(int) {}
