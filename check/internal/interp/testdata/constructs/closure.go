package constructs

// Closure shares the variables that it captures.
type Closure struct{ x int }

func NewClosure(int) *Closure { return &Closure{} }

// Lock makes these accesses:
//
//	x := 9
func (l *Closure) Lock(int) {
	n := 1
	f := func(by int) { n += by }
	f(2)
	n *= 2
	f(3)
	l.x = n
}

func (l *Closure) Unlock(int) {}
