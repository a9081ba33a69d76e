package constructs

import "sync/atomic"

// DeferCopy copies into memory that others use when the function ends.
type DeferCopy struct{ a [2]int32 }

func NewDeferCopy(int) *DeferCopy { return &DeferCopy{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1
func (l *DeferCopy) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	defer copy(l.a[1:], []int32{1, 2}) // refused: copies into memory that another process uses
}

func (l *DeferCopy) Unlock(int) {}
