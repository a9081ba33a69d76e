package constructs

// OrderOpen reads a variable beside a call that changes it.
type OrderOpen struct{ x int }

func NewOrderOpen(int) *OrderOpen { return &OrderOpen{x: 2} }

func (l *OrderOpen) bump() int {
	l.x++
	return 1
}

// Lock makes these accesses:
//
//	x = 2, x = 2, x := 3
func (l *OrderOpen) Lock(int) {
	l.x = l.x + l.bump() // refused: reads l.x beside a call after which it may be another: the language leaves open which comes first
}

func (l *OrderOpen) Unlock(int) {}
