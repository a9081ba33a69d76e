package constructs

// InterfaceCompare compares types, and then values.
type InterfaceCompare struct {
	v [2]any
	x int
}

func NewInterfaceCompare(int) *InterfaceCompare { return &InterfaceCompare{v: [2]any{1, int8(1)}} }

// Lock makes these accesses:
//
//	v[0] = 1, x := 1, v[0] = 1, v[1] = 1, x := 2, v[1] = 1
func (l *InterfaceCompare) Lock(int) {
	if l.v[0] == any(1) {
		l.x = 1
	}
	if l.v[0] != l.v[1] {
		l.x = 2
	}
	if l.v[1] == nil {
		l.x = 3
	}
}

func (l *InterfaceCompare) Unlock(int) {}
