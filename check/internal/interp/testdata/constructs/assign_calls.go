package constructs

// AssignCalls makes the calls of a statement in the order of the text.
type AssignCalls struct {
	n int
	a [2]int
}

func NewAssignCalls(int) *AssignCalls { return &AssignCalls{} }

func (l *AssignCalls) next() int {
	l.n = 1 - l.n
	return l.n
}

// Lock makes these accesses:
//
//	n = 0, n := 1, n = 1, n = 1, n := 0, n = 0, a[1] := 10
func (l *AssignCalls) Lock(int) {
	l.a[l.next()] = 10 + l.next()
}

func (l *AssignCalls) Unlock(int) {}
