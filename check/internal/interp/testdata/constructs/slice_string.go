package constructs

// SliceString slices strings.
type SliceString struct {
	s string
	n int
	x int
}

func NewSliceString(int) *SliceString { return &SliceString{s: "abcd", n: 4} }

// Lock makes these accesses:
//
//	s = "abcd", s = "abcd", n = 4, s = "abcd", x := 106, s = "abcd", n = 4, x := 0,
//	s = "abcd", n = 4
func (l *SliceString) Lock(int) {
	l.x = len(l.s[1:]) + len(l.s[:l.n]) + int(l.s[1:3][1])
	l.x = len(l.s[l.n:])
	_ = l.s[:l.n+1] // fails: slice bounds out of range
}

func (l *SliceString) Unlock(int) {}
