package constructs

// ShiftNegative panics.
type ShiftNegative struct{ x, n int }

func NewShiftNegative(int) *ShiftNegative { return &ShiftNegative{x: 1, n: -1} }

// Lock makes these accesses:
//
//	x = 1, n = -1
func (l *ShiftNegative) Lock(int) {
	l.x = l.x << l.n // fails: negative shift amount: -1
}

func (l *ShiftNegative) Unlock(int) {}
