package constructs

// ArrayCopy copies an array: what is written to one is not in the other.
type ArrayCopy struct {
	a [2]int
	x int
}

func NewArrayCopy(int) *ArrayCopy { return &ArrayCopy{a: [2]int{1, 2}} }

// Lock makes these accesses:
//
//	a[0] = 1, a[1] = 2, x := 11, a[0] := 9, a[1] := 2
func (l *ArrayCopy) Lock(int) {
	b := l.a
	b[0] = 9
	l.x = b[0] + b[1]
	l.a = b
}

func (l *ArrayCopy) Unlock(int) {}
