package constructs

// SliceIndex leads to the elements of an array.
type SliceIndex struct {
	s []int
	i int
}

func NewSliceIndex(int) *SliceIndex { return &SliceIndex{s: []int{4, 5, 6}, i: 1} }

// Lock makes these accesses:
//
//	s = slice, i = 1, s[1] = 5, s[1] := 15, s = slice, s[2] := 7, i := 22
func (l *SliceIndex) Lock(int) {
	l.s[l.i] += 10
	t := l.s[1:]
	t[1] = 7
	l.i = len(t)*10 + cap(t)
}

func (l *SliceIndex) Unlock(int) {}
