package constructs

// FieldNil takes the address of a field by a nil pointer.
type FieldNil struct {
	p *pair
	x int
}

func NewFieldNil(int) *FieldNil { return &FieldNil{} }

// Lock makes these accesses:
//
//	p = nil
func (l *FieldNil) Lock(int) {
	p := &l.p.b // fails: nil pointer dereference
	l.x = *p
}

func (l *FieldNil) Unlock(int) {}
