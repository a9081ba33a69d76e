package constructs

import "runtime"

// Gosched passes the time.
type Gosched struct{ x int }

func NewGosched(int) *Gosched { return &Gosched{} }

// Lock makes these accesses:
//
//	x := 1, x := 2
func (l *Gosched) Lock(int) {
	l.x = 1
	runtime.Gosched()
	l.x = 2
}

func (l *Gosched) Unlock(int) {}
