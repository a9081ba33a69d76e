package constructs

// DeferNil defers a call of a nil function.
type DeferNil struct {
	f func()
	x int
}

func NewDeferNil(int) *DeferNil { return &DeferNil{} }

// Lock makes these accesses:
//
//	f = func, x := 1
func (l *DeferNil) Lock(int) {
	defer l.f() // fails: calls a nil function that was deferred
	l.x = 1
}

func (l *DeferNil) Unlock(int) {}
