package constructs

import "sync/atomic"

// AtomicMethodValue makes the access when it is called.
type AtomicMethodValue struct {
	w atomic.Int32
	x int32
}

func NewAtomicMethodValue(int) *AtomicMethodValue { return &AtomicMethodValue{} }

// Lock makes these accesses:
//
//	x := 1, add w = 0 := 5, load w = 5, x := 5
func (l *AtomicMethodValue) Lock(int) {
	add, load := l.w.Add, (*atomic.Int32).Load
	l.x = 1
	add(5)
	l.x = load(&l.w)
}

func (l *AtomicMethodValue) Unlock(int) {}
