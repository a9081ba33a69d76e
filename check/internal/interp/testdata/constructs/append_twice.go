package constructs

// AppendTwice appends twice to one slice, which may or may not have room: then the elements may be the same.
type AppendTwice struct {
	a [3]int
	x int
}

func NewAppendTwice(int) *AppendTwice { return &AppendTwice{a: [3]int{1, 2, 3}} }

// Lock makes these accesses:
//
//	a[0] = 1, a[1] = 2, a[2] = 3, x := 5, x := 11, x = 11
func (l *AppendTwice) Lock(int) {
	grown := append(l.a[:], 4)
	one := append(grown, 5)
	l.x = one[4]
	other := append(grown, 6)
	l.x = one[0] + one[3] + other[4]
	l.x += one[4] // refused: uses an element that append may or may not have moved, which cannot be modeled
}

func (l *AppendTwice) Unlock(int) {}
