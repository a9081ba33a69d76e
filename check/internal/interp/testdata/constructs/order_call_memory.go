package constructs

// OrderCallMemory reads a variable of its own beside a call that changes it.
type OrderCallMemory struct{ x int }

func NewOrderCallMemory(int) *OrderCallMemory { return &OrderCallMemory{} }

// Lock makes these accesses:
//
//	x := 6
func (l *OrderCallMemory) Lock(int) {
	y := new(int)
	bump := func() int { *y++; return 5 }
	l.x = bump() + *y
	l.x = *y + bump() // refused: reads *y beside a call after which it may be another: the language leaves open which comes first
}

func (l *OrderCallMemory) Unlock(int) {}
