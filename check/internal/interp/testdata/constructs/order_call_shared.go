package constructs

import "sync/atomic"

// OrderCallShared reads a variable that others use beside a call that writes it.
type OrderCallShared struct {
	w int32
	x int32
}

func NewOrderCallShared(int) *OrderCallShared { return &OrderCallShared{} }

func (l *OrderCallShared) bump() int32 {
	atomic.AddInt32(&l.w, 1) // refused: reads l.w beside a call after which it may be another: the language leaves open which comes first
	return 5
}

// Lock makes these accesses:
//
//	add w = 0 := 1, w = 1, x := 6, w = 1
func (l *OrderCallShared) Lock(int) {
	l.x = l.bump() + l.w
	l.x = l.w + l.bump()
}

func (l *OrderCallShared) Unlock(int) {}
