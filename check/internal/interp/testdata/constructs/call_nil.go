package constructs

// CallNil calls a nil function.
type CallNil struct {
	f func() int
	x int
}

func NewCallNil(int) *CallNil { return &CallNil{} }

// Lock makes these accesses:
//
//	x := 1, f = func
func (l *CallNil) Lock(int) {
	l.x = 1
	l.x = l.f() // fails: calls a nil function
}

func (l *CallNil) Unlock(int) {}
