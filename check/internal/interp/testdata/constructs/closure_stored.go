package constructs

// ClosureStored is a function that New has stored.
type ClosureStored struct {
	f func(int) int
	x int
}

func NewClosureStored(int) *ClosureStored {
	n := 40
	return &ClosureStored{f: func(by int) int { return n + by }}
}

// Lock makes these accesses:
//
//	f = func, f.n = 40, x := 42
func (l *ClosureStored) Lock(int) {
	l.x = l.f(2)
}

func (l *ClosureStored) Unlock(int) {}
