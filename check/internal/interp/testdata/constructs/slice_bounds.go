package constructs

// SliceBounds panics beyond a slice.
type SliceBounds struct {
	s []int
	x int
}

func NewSliceBounds(int) *SliceBounds { return &SliceBounds{s: []int{1}} }

// Lock makes these accesses:
//
//	s = slice, x = 0
func (l *SliceBounds) Lock(int) {
	l.x = len(l.s[:l.x+2]) // fails: slice bounds out of range
}

func (l *SliceBounds) Unlock(int) {}
