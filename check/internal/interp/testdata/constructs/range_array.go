package constructs

// RangeArray ranges over a copy of the array.
type RangeArray struct {
	a [2]int
	x int
}

func NewRangeArray(int) *RangeArray { return &RangeArray{a: [2]int{5, 6}} }

// Lock makes these accesses:
//
//	a[0] = 5, a[1] = 6
//	a[1] := 9, x := 5
//	a[1] := 9, x := 16
func (l *RangeArray) Lock(int) {
	for i, v := range l.a {
		l.a[1] = 9
		l.x = 10*i + v
	}
}

func (l *RangeArray) Unlock(int) {}
