package constructs

// AppendSlice appends a slice.
type AppendSlice struct {
	a, b [2]int
	x    int
}

func NewAppendSlice(int) *AppendSlice { return &AppendSlice{b: [2]int{7, 8}} }

// Lock makes these accesses:
//
//	b[0] = 7, b[1] = 8, a[0] := 7, a[1] := 8, a[1] = 8, x := 8
func (l *AppendSlice) Lock(int) {
	s := append(l.a[:0], l.b[:]...)
	l.x = s[1]
}

func (l *AppendSlice) Unlock(int) {}
