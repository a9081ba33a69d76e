package constructs

// ArrayBounds panics beyond an array.
type ArrayBounds struct {
	a [2]int
	i int
}

func NewArrayBounds(int) *ArrayBounds { return &ArrayBounds{i: 2} }

// Lock makes these accesses:
//
//	i = 2
func (l *ArrayBounds) Lock(int) {
	l.a[l.i] = 1 // fails: index out of range: 2 with length 2
}

func (l *ArrayBounds) Unlock(int) {}
