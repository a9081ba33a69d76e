package constructs

import "sync/atomic"

// FunctionShared stores a function in an atomic word that captures a variable of its process.
type FunctionShared struct{ w atomic.Pointer[func()] }

func NewFunctionShared(int) *FunctionShared { return &FunctionShared{} }

func (l *FunctionShared) Lock(int) {
	x := 0
	f := func() { x++ }
	l.w.Store(&f) // refused: stores a function in shared memory that captures a variable of the process
}

func (l *FunctionShared) Unlock(int) {}
