package constructs

import "sync/atomic"

// AppendShared appends where others read, word by word.
type AppendShared struct{ a [2]int32 }

func NewAppendShared(int) *AppendShared { return &AppendShared{} }

// Lock makes these accesses:
//
//	add a[1] = 0 := 1, a[1] := 5
func (l *AppendShared) Lock(int) {
	atomic.AddInt32(&l.a[1], 1)
	_ = append(l.a[:1], 5)
}

func (l *AppendShared) Unlock(int) {}
