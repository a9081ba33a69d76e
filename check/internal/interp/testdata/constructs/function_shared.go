package constructs

import "sync/atomic"

// FunctionShared stores a function in an atomic word.
type FunctionShared struct{ w atomic.Pointer[func()] }

func NewFunctionShared(int) *FunctionShared { return &FunctionShared{} }

func (l *FunctionShared) Lock(int) {
	f := func() {}
	l.w.Store(&f) // refused: stores a function in shared memory
}

func (l *FunctionShared) Unlock(int) {}
