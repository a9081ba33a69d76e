package constructs

// GenericType is instantiated for each type.
type GenericType struct {
	a holder[int]
	b holder[bool]
}

func NewGenericType(int) *GenericType { return &GenericType{} }

type holder[T any] struct {
	v    T
	full bool
}

func (h *holder[T]) set(v T) { h.v, h.full = v, true }

// Lock makes these accesses:
//
//	a.v := 7, a.full := true, b.v := true, b.full := true
func (l *GenericType) Lock(int) {
	l.a.set(7)
	l.b.set(true)
}

func (l *GenericType) Unlock(int) {}
