package constructs

// InterfaceNil panics where there is nothing in the interface.
type InterfaceNil struct{ s interface{ Lock(int) } }

func NewInterfaceNil(int) *InterfaceNil { return &InterfaceNil{} }

// Lock makes these accesses:
//
//	s = nil
func (l *InterfaceNil) Lock(int) {
	l.s.Lock(0) // fails: calls Lock on a nil interface
}

func (l *InterfaceNil) Unlock(int) {}
