package constructs

// ReceiverValue copies the receiver.
type ReceiverValue struct {
	p point
	x int
}

func NewReceiverValue(int) *ReceiverValue { return &ReceiverValue{p: point{1, 2}} }

type point struct{ x, y int }

func (p point) moved(by int) int {
	p.x += by
	return p.x + p.y
}

// Lock makes these accesses:
//
//	p.x = 1, p.y = 2, x := 13
func (l *ReceiverValue) Lock(int) {
	l.x = l.p.moved(10)
}

func (l *ReceiverValue) Unlock(int) {}
