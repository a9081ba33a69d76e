package constructs

// MakeSliceNegative makes a slice of less than nothing.
type MakeSliceNegative struct {
	n int
	x int
}

func NewMakeSliceNegative(int) *MakeSliceNegative { return &MakeSliceNegative{n: 2} }

// Lock makes these accesses:
//
//	n = 2, x := 0, n = 2
func (l *MakeSliceNegative) Lock(int) {
	l.x = len(make([]int, l.n-2))
	_ = make([]int, l.n-3) // fails: makes a slice of length -1
}

func (l *MakeSliceNegative) Unlock(int) {}
