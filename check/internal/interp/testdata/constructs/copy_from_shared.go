package constructs

import "sync/atomic"

// CopyFromShared copies from memory that others write, word by word.
type CopyFromShared struct {
	a [2]int32
	b [2]int32
}

func NewCopyFromShared(int) *CopyFromShared { return &CopyFromShared{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1, a[0] = 0, a[1] = 1, b[0] := 0, b[1] := 1, a[0] = 0, b[0] := 0,
//	a[0] = 0, a[1] = 1, b[0] := 0, b[1] := 1
func (l *CopyFromShared) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	l.b = l.a
	copy(l.b[:], l.a[:1])
	copy(l.b[:], l.a[:])
}

func (l *CopyFromShared) Unlock(int) {}
