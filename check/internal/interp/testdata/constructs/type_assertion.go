package constructs

// TypeAssertion takes a value out of an interface, or says that it is not there.
type TypeAssertion struct {
	v any
	x int
}

func NewTypeAssertion(int) *TypeAssertion { return &TypeAssertion{v: int8(-3)} }

// Lock makes these accesses:
//
//	v = -3, x := -3, v = -3, x := 0, v = -3, x := 5
func (l *TypeAssertion) Lock(int) {
	l.x = int(l.v.(int8))
	if n, ok := l.v.(int); !ok {
		l.x = n
	}
	if _, ok := l.v.(interface{ Lock(int) }); !ok {
		l.x = 5
	}
}

func (l *TypeAssertion) Unlock(int) {}
