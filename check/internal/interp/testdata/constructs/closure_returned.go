package constructs

// ClosureReturned keeps the variables that it captures.
type ClosureReturned struct{ x int }

func NewClosureReturned(int) *ClosureReturned { return &ClosureReturned{} }

func counter() func() int {
	n := 0
	return func() int { n++; return n }
}

// Lock makes these accesses:
//
//	x := 2, x := 1
func (l *ClosureReturned) Lock(int) {
	next := counter()
	next()
	l.x = next()
	other := counter()
	l.x = other()
}

func (l *ClosureReturned) Unlock(int) {}
