package constructs

// DivisionByZero panics.
type DivisionByZero struct{ x, y int }

func NewDivisionByZero(int) *DivisionByZero { return &DivisionByZero{x: 1} }

// Lock makes these accesses:
//
//	x = 1, y = 0
func (l *DivisionByZero) Lock(int) {
	l.x = l.x / l.y // fails: integer divide by zero
}

func (l *DivisionByZero) Unlock(int) {}
