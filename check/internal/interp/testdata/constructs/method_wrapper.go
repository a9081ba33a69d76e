package constructs

// MethodWrapper calls a method of an embedded pointer through an interface.
type MethodWrapper struct {
	v interface{ bump() int }
	x int
}

func NewMethodWrapper(int) *MethodWrapper { return &MethodWrapper{v: &struct{ *pair }{&pair{1, 2}}} }

func (p *pair) bump() int {
	p.b++
	return p.b
}

// Lock makes these accesses:
//
//	v = v, v.b = 2, v.b := 3, v.b = 3, x := 3
func (l *MethodWrapper) Lock(int) {
	l.x = l.v.bump()
}

func (l *MethodWrapper) Unlock(int) {}
