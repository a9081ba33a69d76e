package constructs

// Comparison compares with and without a sign.
type Comparison struct {
	x int8
	y uint8
	b [4]bool
}

func NewComparison(int) *Comparison { return &Comparison{x: -1, y: 255} }

// Lock makes these accesses:
//
//	x = -1, b[0] := true, y = 255, b[1] := true, x = -1, b[2] := false, y = 255, b[3] := false
func (l *Comparison) Lock(int) {
	l.b[0] = l.x < 0
	l.b[1] = l.y > 254
	l.b[2] = l.x >= 0
	l.b[3] = l.y <= 127
}

func (l *Comparison) Unlock(int) {}
