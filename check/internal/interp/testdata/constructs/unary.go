package constructs

// Unary negates, complements and inverts.
type Unary struct {
	x int8
	y uint8
	b bool
}

func NewUnary(int) *Unary { return &Unary{x: -128, y: 1} }

// Lock makes these accesses:
//
//	x = -128, x := -128, y = 1, y := 255, y = 255, y := 0, x = -128, x := -128, b = false, b := true
func (l *Unary) Lock(int) {
	l.x = -l.x
	l.y = -l.y
	l.y = ^l.y
	l.x = +l.x
	l.b = !l.b
}

func (l *Unary) Unlock(int) {}
