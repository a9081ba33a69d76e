package constructs

// TypeAssertionFails panics where the type is another.
type TypeAssertionFails struct {
	v any
	x int
}

func NewTypeAssertionFails(int) *TypeAssertionFails { return &TypeAssertionFails{v: int8(-3)} }

// Lock makes these accesses:
//
//	v = -3
func (l *TypeAssertionFails) Lock(int) {
	l.x = l.v.(int) // fails: type assertion to int fails
}

func (l *TypeAssertionFails) Unlock(int) {}
