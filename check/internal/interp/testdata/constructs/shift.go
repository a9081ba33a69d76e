package constructs

// Shift shifts by more than the width, and keeps the sign.
type Shift struct {
	x int8
	y uint8
	n uint
}

func NewShift(int) *Shift { return &Shift{x: -100, y: 200, n: 9} }

// Lock makes these accesses:
//
//	x = -100, x := -25, y = 200, y := 50, x = -25, x := -50, y = 50, n = 9, y := 0, n = 9, x = -50, x := -1
func (l *Shift) Lock(int) {
	l.x >>= 2
	l.y >>= 2
	l.x <<= 1
	l.y = l.y << l.n
	l.x >>= l.n
}

func (l *Shift) Unlock(int) {}
