package constructs

// Fallthrough goes on with the next case.
type Fallthrough struct{ x, y int }

func NewFallthrough(int) *Fallthrough { return &Fallthrough{x: 1} }

// Lock makes these accesses:
//
//	x = 1, y := 1, y := 2
func (l *Fallthrough) Lock(int) {
	switch l.x {
	case 1:
		l.y = 1
		fallthrough
	case 2:
		l.y = 2
	case 3:
		l.y = 3
	}
}

func (l *Fallthrough) Unlock(int) {}
