package constructs

import "sync/atomic"

// AtomicNil makes an access by a nil pointer.
type AtomicNil struct {
	p *atomic.Int32
	x int
}

func NewAtomicNil(int) *AtomicNil { return &AtomicNil{} }

// Lock makes these accesses:
//
//	x := 1, p = nil
func (l *AtomicNil) Lock(int) {
	l.x = 1
	l.p.Add(1) // fails: nil pointer dereference
}

func (l *AtomicNil) Unlock(int) {}
