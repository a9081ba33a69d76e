package constructs

// RangeFunc calls a function that calls back.
type RangeFunc struct{ x int }

func NewRangeFunc(int) *RangeFunc { return &RangeFunc{} }

func upTo(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

// Lock makes these accesses:
//
//	x := 0, x := 2
func (l *RangeFunc) Lock(int) {
	for i := range upTo(5) {
		if i == 1 {
			continue
		}
		if i == 3 {
			break
		}
		l.x = i
	}
}

func (l *RangeFunc) Unlock(int) {}
