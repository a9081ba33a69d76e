package constructs

// MinMax takes the least and the greatest.
type MinMax struct{ x, y int }

func NewMinMax(int) *MinMax { return &MinMax{x: -3, y: 4} }

// Lock makes these accesses:
//
//	x = -3, y = 4, x := -3, x = -3, y = 4, y := 4
func (l *MinMax) Lock(int) {
	l.x = min(l.x, l.y, 2)
	l.y = max(l.x, l.y)
}

func (l *MinMax) Unlock(int) {}
