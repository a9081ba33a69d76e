package constructs

import "runtime"

// DrawProcessors sets the number of processors.
type DrawProcessors struct{ n int }

func NewDrawProcessors(int) *DrawProcessors { return &DrawProcessors{} }

// Lock makes these accesses:
//
//	n = 0, n = 0
func (l *DrawProcessors) Lock(int) {
	_ = runtime.GOMAXPROCS(l.n)
	_ = runtime.GOMAXPROCS(l.n + 1) // refused: calls runtime.GOMAXPROCS to set the number of processors
}

func (l *DrawProcessors) Unlock(int) {}
