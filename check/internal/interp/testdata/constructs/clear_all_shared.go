package constructs

import "sync/atomic"

// ClearAllShared clears words; other processes use one of them.
type ClearAllShared struct{ a [2]int32 }

func NewClearAllShared(int) *ClearAllShared { return &ClearAllShared{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1, a[0] := 0, a[1] := 0
func (l *ClearAllShared) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	clear(l.a[:])
}

func (l *ClearAllShared) Unlock(int) {}
