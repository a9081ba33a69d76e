package constructs

// AssignOpBounds does so for an operation that assigns.
type AssignOpBounds struct {
	i int
	s []int
}

func NewAssignOpBounds(int) *AssignOpBounds { return &AssignOpBounds{i: 2, s: make([]int, 2)} }

// Lock makes these accesses:
//
//	s = slice, i = 2, s = slice, s[1] = 0
func (l *AssignOpBounds) Lock(int) {
	l.s[l.i] += l.s[1] // fails: index out of range: 2 with length 2
}

func (l *AssignOpBounds) Unlock(int) {}
