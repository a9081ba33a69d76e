package constructs

// ArrayLength asks a call for an array, and the array for its length.
type ArrayLength struct {
	a [3]int
	x int
}

func NewArrayLength(int) *ArrayLength { return &ArrayLength{} }

func (l *ArrayLength) array() *[3]int { l.x = 7; return &l.a }

// Lock makes these accesses:
//
//	x := 7, x := 3, x := 7, x := 3
func (l *ArrayLength) Lock(int) {
	l.x = len(l.array())
	l.x = cap(*l.array())
}

func (l *ArrayLength) Unlock(int) {}
