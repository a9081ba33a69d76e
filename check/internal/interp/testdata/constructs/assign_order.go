package constructs

// AssignOrder takes the operands of indexing first, and assigns from left to right.
type AssignOrder struct {
	i int
	a [2]int
}

func NewAssignOrder(int) *AssignOrder { return &AssignOrder{} }

// Lock makes these accesses:
//
//	i = 0, i := 1, a[0] := 7
func (l *AssignOrder) Lock(int) {
	l.i, l.a[l.i] = 1, 7
}

func (l *AssignOrder) Unlock(int) {}
