package constructs

import (
	"sync/atomic"

	"shmbench/shm/spin"
)

// SpinUntil polls until a condition holds.
type SpinUntil struct{ w atomic.Int32 }

func NewSpinUntil(int) *SpinUntil { return &SpinUntil{} }

// Lock makes these accesses:
//
//	add w = 0 := 1, add w = 1 := 2, add w = 2 := 3
func (l *SpinUntil) Lock(int) {
	spin.Pause()
	spin.Until(func() bool { return l.w.Add(1) == 3 })
}

func (l *SpinUntil) Unlock(int) {}
