package constructs

// Order computes with what was read, in the order of the text.
type Order struct{ x, y int }

func NewOrder(int) *Order { return &Order{x: 2, y: 3} }

func (l *Order) plain() int { return l.y }

// Lock makes these accesses:
//
//	y = 3, x = 2, y = 3, x := 29
func (l *Order) Lock(int) {
	l.x = l.y*10 + l.x - l.plain()
}

func (l *Order) Unlock(int) {}
