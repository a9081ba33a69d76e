package constructs

// ArrayCompare compares element by element.
type ArrayCompare struct {
	a [2]int
	x int
}

func NewArrayCompare(int) *ArrayCompare { return &ArrayCompare{a: [2]int{1, 2}} }

// Lock makes these accesses:
//
//	a[0] = 1, a[1] = 2, x := 1
func (l *ArrayCompare) Lock(int) {
	if l.a == [2]int{1, 2} {
		l.x = 1
	}
}

func (l *ArrayCompare) Unlock(int) {}
