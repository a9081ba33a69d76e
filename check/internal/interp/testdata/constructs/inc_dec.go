package constructs

// IncDec counts up and down, and round.
type IncDec struct {
	x int
	y uint8
}

func NewIncDec(int) *IncDec { return &IncDec{x: 4} }

// Lock makes these accesses:
//
//	x = 4, x := 5, x = 5, x := 4, y = 0, y := 255, y = 255, y := 0
func (l *IncDec) Lock(int) {
	l.x++
	l.x--
	l.y--
	l.y++
}

func (l *IncDec) Unlock(int) {}
