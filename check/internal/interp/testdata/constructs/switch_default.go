package constructs

// SwitchDefault goes to its default, wherever that stands.
type SwitchDefault struct{ x, y int }

func NewSwitchDefault(int) *SwitchDefault { return &SwitchDefault{x: 7} }

// Lock makes these accesses:
//
//	x = 7, y := 7
func (l *SwitchDefault) Lock(int) {
	switch x := l.x; x {
	default:
		l.y = x
	case 1:
		l.y = 1
	}
}

func (l *SwitchDefault) Unlock(int) {}
