package constructs

// ArrayNested indexes twice, with keys in its literal.
type ArrayNested struct {
	a [2][2]int
	i int
}

func NewArrayNested(int) *ArrayNested { return &ArrayNested{a: [2][2]int{1: {1: 4}}, i: 1} }

// Lock makes these accesses:
//
//	i = 1, i = 1, a[1][1] = 4, a[0][1] := 4, i := 1
func (l *ArrayNested) Lock(int) {
	l.a[0][l.i] = l.a[l.i][1]
	l.i = len(l.a[0]) - 1
}

func (l *ArrayNested) Unlock(int) {}
