package constructs

// PointerNil panics where there is no variable.
type PointerNil struct {
	x int
	p *int
}

func NewPointerNil(int) *PointerNil { return &PointerNil{} }

// Lock makes these accesses:
//
//	p = nil
func (l *PointerNil) Lock(int) {
	l.x = *l.p // fails: nil pointer dereference
}

func (l *PointerNil) Unlock(int) {}
