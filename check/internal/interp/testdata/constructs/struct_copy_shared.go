package constructs

import "sync/atomic"

// StructCopyShared copies a struct word by word.
type StructCopyShared struct {
	p struct {
		x, y int32
		z    int
	}
	w int
}

func NewStructCopyShared(int) *StructCopyShared { return &StructCopyShared{} }

// Lock makes these accesses:
//
//	store p.x := 2, p.x = 2, p.y = 0, p.z = 0, p.x := 2, p.y := 5, p.z := 1, p.z = 1,
//	w := 3
func (l *StructCopyShared) Lock(int) {
	atomic.StoreInt32(&l.p.x, 2)
	q := l.p
	q.y, q.z = 5, 1
	l.p = q
	l.w = l.p.z + int(q.x)
}

func (l *StructCopyShared) Unlock(int) {}
