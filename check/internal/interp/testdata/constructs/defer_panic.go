package constructs

// DeferPanic fails when it returns.
type DeferPanic struct{ x int }

func NewDeferPanic(int) *DeferPanic { return &DeferPanic{} }

// Lock makes these accesses:
//
//	x := 1
func (l *DeferPanic) Lock(int) {
	defer panic("broken") // fails: panics: broken
	l.x = 1
}

func (l *DeferPanic) Unlock(int) {}
