package constructs

// AssignBounds evaluates what is assigned before it finds that there is no such
// element.
type AssignBounds struct {
	i int
	a [2][2]int
}

func NewAssignBounds(int) *AssignBounds { return &AssignBounds{i: 2} }

// Lock makes these accesses:
//
//	i = 2, a[1][0] = 0
func (l *AssignBounds) Lock(int) {
	l.a[0][l.i] = l.a[1][0] // fails: index out of range: 2 with length 2
}

func (l *AssignBounds) Unlock(int) {}
