package constructs

// Assign copies one variable to another.
type Assign struct{ x, y int }

func NewAssign(int) *Assign { return &Assign{x: 3} }

// Lock makes these accesses:
//
//	x = 3, y := 3
func (l *Assign) Lock(int) {
	l.y = l.x
}

func (l *Assign) Unlock(int) {}
