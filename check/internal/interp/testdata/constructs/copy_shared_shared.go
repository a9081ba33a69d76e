package constructs

import "sync/atomic"

// CopySharedShared moves the elements of a slice that others use: it reads them all,
// and then writes them all.
type CopySharedShared struct {
	a [3]duo
	s []duo
}

type duo struct{ x, y int32 }

func NewCopySharedShared(int) *CopySharedShared {
	return &CopySharedShared{s: make([]duo, 1, 3)}
}

// Lock makes these accesses:
//
//	store a[1].x := 4, store a[2].y := 5,
//	a[1].x = 4, a[1].y = 0, a[2].x = 0, a[2].y = 5, a[0].x := 4, a[0].y := 0, a[1].x := 0, a[1].y := 5,
//	s = slice, a[1].x = 0, a[1].y = 5, s[1].x := 0, s[1].y := 5, s := slice, s = slice, s[1].y = 5
func (l *CopySharedShared) Lock(int) {
	atomic.StoreInt32(&l.a[1].x, 4)
	atomic.StoreInt32(&l.a[2].y, 5)
	copy(l.a[:], l.a[1:])
	l.s = append(l.s[:1], l.a[1:2]...)
	_ = l.s[1].y
}

func (l *CopySharedShared) Unlock(int) {}
