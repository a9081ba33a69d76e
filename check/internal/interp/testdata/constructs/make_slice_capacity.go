package constructs

// MakeSliceCapacity makes slices with a capacity.
type MakeSliceCapacity struct {
	n int
	x int
}

func NewMakeSliceCapacity(int) *MakeSliceCapacity { return &MakeSliceCapacity{n: 2} }

// Lock makes these accesses:
//
//	n = 2, n = 2, x := 24, n = 2, n = 2, x := 22, n = 2, n = 2
func (l *MakeSliceCapacity) Lock(int) {
	s := make([]int, l.n, l.n+2)
	l.x = len(s)*10 + cap(s)
	s = make([]int, l.n, l.n)
	l.x = len(s)*10 + cap(s)
	_ = make([]int, l.n, l.n-1) // fails: makes a slice of capacity 1
}

func (l *MakeSliceCapacity) Unlock(int) {}
