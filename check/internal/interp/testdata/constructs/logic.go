package constructs

// Logic reads no more than it needs.
type Logic struct{ a, b, c bool }

func NewLogic(int) *Logic { return &Logic{a: true} }

// Lock makes these accesses:
//
//	a = true, c := true, b = false, c := false, a = true, b = false, c := true
func (l *Logic) Lock(int) {
	l.c = l.a || l.b
	l.c = l.b && l.a
	l.c = l.a && !l.b
}

func (l *Logic) Unlock(int) {}
