package constructs

// AssignSwap reads both sides before it writes either.
type AssignSwap struct{ x, y int }

func NewAssignSwap(int) *AssignSwap { return &AssignSwap{x: 1, y: 2} }

// Lock makes these accesses:
//
//	y = 2, x = 1, x := 2, y := 1
func (l *AssignSwap) Lock(int) {
	l.x, l.y = l.y, l.x
}

func (l *AssignSwap) Unlock(int) {}
