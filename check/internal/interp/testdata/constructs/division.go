package constructs

// Division cuts towards zero; the remainder has the sign of the dividend.
type Division struct {
	x, y int
	z    int8
}

func NewDivision(int) *Division { return &Division{x: -7, y: 2, z: -128} }

// Lock makes these accesses:
//
//	x = -7, y = 2, x := -3, y := -1, z = -128, z := -128
func (l *Division) Lock(int) {
	x, y := l.x, l.y
	l.x = x / y
	l.y = x % y
	l.z /= -1
}

func (l *Division) Unlock(int) {}
