package constructs

// RangeInt counts up to a number that it reads once.
type RangeInt struct{ n, x int }

func NewRangeInt(int) *RangeInt { return &RangeInt{n: 2} }

// Lock makes these accesses:
//
//	n = 2, x := 0, x := 1
func (l *RangeInt) Lock(int) {
	for i := range l.n {
		l.x = i
	}
}

func (l *RangeInt) Unlock(int) {}
