package constructs

// Panic fails.
type Panic struct{ x int }

func NewPanic(int) *Panic { return &Panic{} }

// Lock makes these accesses:
//
//	x := 1
func (l *Panic) Lock(int) {
	l.x = 1
	panic("broken") // fails: panics: broken
}

func (l *Panic) Unlock(int) {}
