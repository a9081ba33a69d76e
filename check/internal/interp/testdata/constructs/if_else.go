package constructs

// IfElse takes one of several ways.
type IfElse struct{ x, y int }

func NewIfElse(int) *IfElse { return &IfElse{x: 2} }

// Lock makes these accesses:
//
//	x = 2, y := 20
func (l *IfElse) Lock(int) {
	if x := l.x; x == 1 {
		l.y = 1
	} else if x == 2 {
		l.y = 20
	} else {
		l.y = 30
	}
}

func (l *IfElse) Unlock(int) {}
