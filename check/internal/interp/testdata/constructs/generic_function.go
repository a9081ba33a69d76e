package constructs

// GenericFunction is instantiated for each type.
type GenericFunction struct {
	x int
	y uint8
}

func NewGenericFunction(int) *GenericFunction { return &GenericFunction{x: 300, y: 200} }

func twice[T int | uint8](v T) T { return v + v }

// Lock makes these accesses:
//
//	x = 300, x := 600, y = 200, y := 144
func (l *GenericFunction) Lock(int) {
	l.x = twice(l.x)
	l.y = twice(l.y)
}

func (l *GenericFunction) Unlock(int) {}
