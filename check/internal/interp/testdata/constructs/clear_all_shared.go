package constructs

import "sync/atomic"

// ClearAllShared clears words of which others use one.
type ClearAllShared struct{ a [2]int32 }

func NewClearAllShared(int) *ClearAllShared { return &ClearAllShared{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1, a[0] := 0
func (l *ClearAllShared) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	clear(l.a[:]) // refused: overwrites a whole struct or array of memory that another process uses
}

func (l *ClearAllShared) Unlock(int) {}
