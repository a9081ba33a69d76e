package constructs

// SliceOfArray shares the array.
type SliceOfArray struct {
	a [3]int
	x int
}

func NewSliceOfArray(int) *SliceOfArray { return &SliceOfArray{} }

// Lock makes these accesses:
//
//	a[1] := 5, a[2] := 6, x := 2
func (l *SliceOfArray) Lock(int) {
	s := l.a[1:2]
	s[0] = 5
	s = s[:2]
	s[1] = 6
	l.x = cap(l.a[0:1:2])
}

func (l *SliceOfArray) Unlock(int) {}
