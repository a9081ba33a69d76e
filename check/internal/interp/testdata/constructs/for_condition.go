package constructs

// ForCondition reads its condition before every turn.
type ForCondition struct{ x int }

func NewForCondition(int) *ForCondition { return &ForCondition{x: 2} }

// Lock makes these accesses:
//
//	x = 2, x = 2, x := 1
//	x = 1, x = 1, x := 0
//	x = 0
func (l *ForCondition) Lock(int) {
	for l.x > 0 {
		l.x--
	}
}

func (l *ForCondition) Unlock(int) {}
