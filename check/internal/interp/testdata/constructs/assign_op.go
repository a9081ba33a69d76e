package constructs

// AssignOp computes with a variable and writes it back.
type AssignOp struct{ x, y int }

func NewAssignOp(int) *AssignOp { return &AssignOp{x: 13, y: 3} }

// Lock makes these accesses:
//
//	y = 3, x = 13, x := 16
//	x = 16, x := 15
//	y = 3, x = 15, x := 45
//	x = 45, x := 11
//	x = 11, x := 3
//	x = 3, x := 2
//	x = 2, x := 11
//	x = 11, x := 14
//	x = 14, x := 6
//	y = 3, x = 6, x := 48
//	x = 48, x := 12
func (l *AssignOp) Lock(int) {
	l.x += l.y
	l.x -= 1
	l.x *= l.y
	l.x /= 4
	l.x %= 8
	l.x &= 6
	l.x |= 9
	l.x ^= 5
	l.x &^= 8
	l.x <<= l.y
	l.x >>= 2
}

func (l *AssignOp) Unlock(int) {}
