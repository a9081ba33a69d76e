package constructs

// InterfaceAssertion asserts another interface.
type InterfaceAssertion struct {
	v any
	x int
}

func NewInterfaceAssertion(int) *InterfaceAssertion { return &InterfaceAssertion{v: square(3)} }

// Lock makes these accesses:
//
//	v = 3, x := 9, v = 3, x := 1, v = 3, x := 2, x := 9
func (l *InterfaceAssertion) Lock(int) {
	if s, ok := l.v.(shape); ok {
		l.x = s.area()
	}
	if _, ok := l.v.(interface{ Lock() }); !ok {
		l.x = 1
	}
	s := l.v.(shape)
	var a any = s
	if a == any(square(3)) {
		l.x = 2
	}
	l.x = a.(interface{ area() int }).area()
}

func (l *InterfaceAssertion) Unlock(int) {}
