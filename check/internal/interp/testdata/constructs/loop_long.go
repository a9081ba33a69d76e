package constructs

// LoopLong goes round for long without an access.
type LoopLong struct {
	n int
	x int
}

func NewLoopLong(int) *LoopLong { return &LoopLong{n: 18} }

// Lock makes these accesses:
//
//	n = 18, x := 18, n = 18, x := 0
func (l *LoopLong) Lock(int) {
	x := l.n
	for {
		x = (x*5 + 3) & 1023
		if x == 18 {
			break
		}
	}
	l.x = x
	y := l.n + 500
	for {
		if y--; y&1023 == 0 {
			break
		}
	}
	l.x = y
}

func (l *LoopLong) Unlock(int) {}
