package constructs

// RangeSlice takes the slice once, and each element when it comes to it.
type RangeSlice struct {
	s []int
	x int
}

func NewRangeSlice(int) *RangeSlice { return &RangeSlice{s: []int{5, 6}} }

// Lock makes these accesses:
//
//	s = slice, s[0] = 5, s = slice, s[1] := 9, x := 5
//	s[1] = 9, s = slice, s[1] := 9, x := 19
func (l *RangeSlice) Lock(int) {
	for i, v := range l.s {
		l.s[1] = 9
		l.x = 10*i + v
	}
}

func (l *RangeSlice) Unlock(int) {}
