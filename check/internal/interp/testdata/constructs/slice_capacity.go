package constructs

// SliceCapacity asks for a capacity that the program has chosen, and one that it has not.
type SliceCapacity struct {
	a [4]int
	x int
}

func NewSliceCapacity(int) *SliceCapacity { return &SliceCapacity{} }

// Lock makes these accesses:
//
//	x := 3, x := 2, a[1] := 5, x := 4, a[0] = 0, a[1] = 5, a[2] = 0, a[3] = 0
func (l *SliceCapacity) Lock(int) {
	l.x = cap(l.a[1:])
	l.x = cap(l.a[1:2:3])
	l.x = cap(append(l.a[:1], 5))
	l.x = cap(append(l.a[:], 5)) // refused: asks for a capacity that the runtime has chosen
}

func (l *SliceCapacity) Unlock(int) {}
