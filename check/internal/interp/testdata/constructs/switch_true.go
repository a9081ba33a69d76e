package constructs

// SwitchTrue takes the first case that is true, and reads no further.
type SwitchTrue struct{ x, y, z int }

func NewSwitchTrue(int) *SwitchTrue { return &SwitchTrue{x: 3, y: 2} }

// Lock makes these accesses:
//
//	x = 3, y = 2, z := 2
func (l *SwitchTrue) Lock(int) {
	switch {
	case l.x == 1:
		l.z = 1
	case l.y == 2:
		l.z = 2
	case l.z == 0:
		l.z = 3
	}
}

func (l *SwitchTrue) Unlock(int) {}
