package constructs

// RangeArrayIndexes reads nothing of an array whose elements it does not ask for.
type RangeArrayIndexes struct {
	a [2]int
	x int
}

func NewRangeArrayIndexes(int) *RangeArrayIndexes { return &RangeArrayIndexes{} }

// Lock makes these accesses:
//
//	x := 0, x := 1, x := 7, x := 7
func (l *RangeArrayIndexes) Lock(int) {
	for i := range l.a {
		l.x = i
	}
	for range l.a {
		l.x = 7
	}
}

func (l *RangeArrayIndexes) Unlock(int) {}
