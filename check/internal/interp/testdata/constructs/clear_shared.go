package constructs

import "sync/atomic"

// ClearShared clears memory that others use, word by word.
type ClearShared struct{ a [2]int32 }

func NewClearShared(int) *ClearShared { return &ClearShared{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1, a[1] := 0
func (l *ClearShared) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	clear(l.a[1:])
}

func (l *ClearShared) Unlock(int) {}
