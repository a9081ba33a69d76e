package constructs

// Float computes with a number that is no integer.
type Float struct {
	x int
	f float64
}

func NewFloat(int) *Float { return &Float{f: 1.5} }

// Lock makes these accesses:
//
//	f = unknown
func (l *Float) Lock(int) {
	l.x = int(l.f * 2) // refused: uses the constant 1.5:float64, which cannot be modeled
}

func (l *Float) Unlock(int) {}
