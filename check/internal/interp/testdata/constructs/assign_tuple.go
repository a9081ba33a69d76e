package constructs

// AssignTuple assigns the results of a call.
type AssignTuple struct{ x, y int }

func NewAssignTuple(int) *AssignTuple { return &AssignTuple{x: 5} }

func (l *AssignTuple) both() (int, int) { x := l.x; return x + 1, x }

// Lock makes these accesses:
//
//	x = 5, x := 6, y := 5
func (l *AssignTuple) Lock(int) {
	l.x, l.y = l.both()
}

func (l *AssignTuple) Unlock(int) {}
