package constructs

import (
	"math/rand/v2"
	"runtime"
)

// Processors pauses for a number of times that is unknown.
type Processors struct{ x int }

func NewProcessors(int) *Processors { return &Processors{} }

// Lock makes these accesses:
//
//	x := 1
func (l *Processors) Lock(int) {
	for range rand.IntN(100) * runtime.NumCPU() {
		runtime.Gosched()
	}
	l.x = 1
	l.x = runtime.GOMAXPROCS(0) + 1 // refused: uses the result of runtime.GOMAXPROCS, which cannot be modeled
}

func (l *Processors) Unlock(int) {}
