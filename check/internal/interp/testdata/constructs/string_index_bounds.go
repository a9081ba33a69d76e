package constructs

// StringIndexBounds indexes a string beyond its end.
type StringIndexBounds struct {
	s string
	n int
	x int
}

func NewStringIndexBounds(int) *StringIndexBounds { return &StringIndexBounds{s: "ab", n: 1} }

// Lock makes these accesses:
//
//	n = 1, s = "ab", x := 98, s = "ab"
func (l *StringIndexBounds) Lock(int) {
	n := l.n
	l.x = int(l.s[n])
	l.x = int(l.s[n+1]) // fails: index out of range: 2 with length 2
}

func (l *StringIndexBounds) Unlock(int) {}
