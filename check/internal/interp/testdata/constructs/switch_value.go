package constructs

// SwitchValue compares with one case after the other.
type SwitchValue struct{ x, y int }

func NewSwitchValue(int) *SwitchValue { return &SwitchValue{x: 3} }

// Lock makes these accesses:
//
//	x = 3, y := 2, x = 3
func (l *SwitchValue) Lock(int) {
	switch l.x {
	case 1, 2:
		l.y = 1
	case 3:
		l.y = 2
		if l.x == 3 {
			break
		}
		l.y = 3
	default:
		l.y = 4
	}
}

func (l *SwitchValue) Unlock(int) {}
