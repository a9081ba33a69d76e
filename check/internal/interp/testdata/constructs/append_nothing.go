package constructs

// AppendNothing appends nothing, which leaves the slice where it is.
type AppendNothing struct {
	a [2]int
	x int
}

func NewAppendNothing(int) *AppendNothing { return &AppendNothing{a: [2]int{1, 2}} }

// Lock makes these accesses:
//
//	a[0] := 7, a[0] = 7, x := 8
func (l *AppendNothing) Lock(int) {
	s := append(l.a[:], l.a[:0]...)
	s = s[:1]
	s[0] = 7
	l.x = l.a[0] + len(s)
}

func (l *AppendNothing) Unlock(int) {}
