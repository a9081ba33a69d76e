package constructs

// AssignNil evaluates what is assigned before it finds that there is no variable.
type AssignNil struct {
	y    int
	next *AssignNil
}

func NewAssignNil(int) *AssignNil { return &AssignNil{} }

// Lock makes these accesses:
//
//	next = nil, y = 0
func (l *AssignNil) Lock(int) {
	l.next.y = l.y // fails: nil pointer dereference
}

func (l *AssignNil) Unlock(int) {}
