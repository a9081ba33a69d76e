package constructs

// RangeArrayPointer ranges over the array itself.
type RangeArrayPointer struct {
	a [2]int
	x int
}

func NewRangeArrayPointer(int) *RangeArrayPointer { return &RangeArrayPointer{a: [2]int{5, 6}} }

// Lock makes these accesses:
//
//	a[0] = 5, a[1] := 9, x := 5
//	a[1] = 9, a[1] := 9, x := 19
func (l *RangeArrayPointer) Lock(int) {
	for i, v := range &l.a {
		l.a[1] = 9
		l.x = 10*i + v
	}
}

func (l *RangeArrayPointer) Unlock(int) {}
