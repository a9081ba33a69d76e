package constructs

// SliceStringOrder slices a string from after its end.
type SliceStringOrder struct {
	s string
	n int
}

func NewSliceStringOrder(int) *SliceStringOrder { return &SliceStringOrder{s: "abcd", n: 3} }

// Lock makes these accesses:
//
//	s = "abcd", n = 3
func (l *SliceStringOrder) Lock(int) {
	_ = l.s[l.n:2] // fails: slice bounds out of range
}

func (l *SliceStringOrder) Unlock(int) {}
