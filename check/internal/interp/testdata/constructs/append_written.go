package constructs

// AppendWritten writes to an element of a slice that append may have moved.
type AppendWritten struct {
	a [1]pair
	x int
}

func NewAppendWritten(int) *AppendWritten { return &AppendWritten{a: [1]pair{{1, 2}}} }

// Lock makes these accesses:
//
//	a[0].a = 1, a[0].b = 2, x := 9, x := 12, x = 12
func (l *AppendWritten) Lock(int) {
	grown := append(l.a[:], pair{3, 4})
	more := append(grown, pair{5, 6})
	l.x = more[1].a + more[2].b
	grown[1].b = 7
	l.x = grown[1].b + more[0].b + more[1].a
	more[0].a = 8
	l.x += more[1].b // refused: uses an element that append may or may not have moved, which cannot be modeled
}

func (l *AppendWritten) Unlock(int) {}
