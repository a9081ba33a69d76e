package constructs

import "sync/atomic"

// AtomicBool is a word of true or false.
type AtomicBool struct {
	w atomic.Bool
	x bool
}

func NewAtomicBool(int) *AtomicBool { return &AtomicBool{} }

// Lock makes these accesses:
//
//	load w = false, x := false
//	store w := true
//	swap w = true := false, x := true
//	compare-and-swap w = false, x := false
//	compare-and-swap w = false := true, x := true
func (l *AtomicBool) Lock(int) {
	l.x = l.w.Load()
	l.w.Store(true)
	l.x = l.w.Swap(false)
	l.x = l.w.CompareAndSwap(true, false)
	l.x = l.w.CompareAndSwap(false, true)
}

func (l *AtomicBool) Unlock(int) {}
