package constructs

// Copy reads all before it writes any.
type Copy struct {
	a [3]int
	x int
}

func NewCopy(int) *Copy { return &Copy{a: [3]int{1, 2, 3}} }

// Lock makes these accesses:
//
//	a[0] = 1, a[1] = 2, a[1] := 1, a[2] := 2, x := 2
func (l *Copy) Lock(int) {
	l.x = copy(l.a[1:], l.a[:])
}

func (l *Copy) Unlock(int) {}
