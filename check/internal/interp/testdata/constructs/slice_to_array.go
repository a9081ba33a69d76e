package constructs

// SliceToArray turns slices into arrays.
type SliceToArray struct {
	a [3]int
	x int
}

func NewSliceToArray(int) *SliceToArray { return &SliceToArray{a: [3]int{1, 2, 3}} }

// Lock makes these accesses:
//
//	a[1] := 7, a[1] = 7, a[2] = 3, a[2] = 3, x := 10
func (l *SliceToArray) Lock(int) {
	p := (*[2]int)(l.a[1:])
	p[0] = 7
	b := [2]int(l.a[1:])
	b[1] = 9
	l.x = b[0] + l.a[2]
	_ = (*[2]int)(l.a[2:]) // fails: a slice of length 1 is turned into an array of length 2
}

func (l *SliceToArray) Unlock(int) {}
