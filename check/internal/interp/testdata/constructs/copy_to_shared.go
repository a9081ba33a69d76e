package constructs

import "sync/atomic"

// CopyToShared copies to memory that others use, word by word.
type CopyToShared struct{ a [2]int32 }

func NewCopyToShared(int) *CopyToShared { return &CopyToShared{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1, a[1] := 1
func (l *CopyToShared) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	copy(l.a[1:], []int32{1, 2})
}

func (l *CopyToShared) Unlock(int) {}
