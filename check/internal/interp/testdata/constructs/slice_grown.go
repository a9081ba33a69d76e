package constructs

// SliceGrown slices what append has grown, up to what it has filled and beyond.
type SliceGrown struct {
	a [3]int
	x int
}

func NewSliceGrown(int) *SliceGrown { return &SliceGrown{a: [3]int{1, 2, 3}} }

// Lock makes these accesses:
//
//	a[0] = 1, a[1] = 2, a[2] = 3, x := 3, x := 2
func (l *SliceGrown) Lock(int) {
	s := append(l.a[:], 4)
	l.x = len(s[1:4])
	l.x = cap(s[1:2:3])
	l.x = len(s[:5]) // refused: slices beyond what append has filled: whether there is room is up to the runtime
}

func (l *SliceGrown) Unlock(int) {}
