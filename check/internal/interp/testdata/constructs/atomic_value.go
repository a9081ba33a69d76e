package constructs

import "sync/atomic"

// AtomicValue is undecided.
type AtomicValue struct{ w atomic.Value }

func NewAtomicValue(int) *AtomicValue { return &AtomicValue{} }

func (l *AtomicValue) Lock(int) {
	l.w.Store(1) // refused: uses atomic.Value, which cannot be modeled; use atomic.Pointer
}

func (l *AtomicValue) Unlock(int) {}
