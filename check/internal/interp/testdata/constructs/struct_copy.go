package constructs

// StructCopy copies a struct: what is written to one is not in the other.
type StructCopy struct {
	p struct{ x, y int }
	z int
}

func NewStructCopy(int) *StructCopy { return &StructCopy{} }

// Lock makes these accesses:
//
//	p.x = 0, p.y = 0, z := 5, p.x := 0, p.y := 5
func (l *StructCopy) Lock(int) {
	q := l.p
	q.y = 5
	l.z = q.x + q.y
	l.p = q
}

func (l *StructCopy) Unlock(int) {}
