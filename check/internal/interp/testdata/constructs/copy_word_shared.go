package constructs

import "sync/atomic"

// CopyWordShared copies a word that others write.
type CopyWordShared struct {
	a [2]int32
	b [2]int32
}

func NewCopyWordShared(int) *CopyWordShared { return &CopyWordShared{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1, a[1] = 1, b[0] := 1
func (l *CopyWordShared) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	copy(l.b[:], l.a[1:])
}

func (l *CopyWordShared) Unlock(int) {}
