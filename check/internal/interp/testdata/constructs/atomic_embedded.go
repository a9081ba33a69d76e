package constructs

import "sync/atomic"

// AtomicEmbedded promotes the operations of a word.
type AtomicEmbedded struct {
	atomic.Int32
	x int32
}

func NewAtomicEmbedded(int) *AtomicEmbedded { return &AtomicEmbedded{} }

// Lock makes these accesses:
//
//	add Int32 = 0 := 2, load Int32 = 2, x := 2
func (l *AtomicEmbedded) Lock(int) {
	l.Add(2)
	l.x = l.Load()
}

func (l *AtomicEmbedded) Unlock(int) {}
