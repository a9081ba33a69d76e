package bench

import (
	"math"
	"sync"
	"time"

	"shmbench/internal/clock"
)

// work does n steps of arithmetic that depend on one another, so that neither
// the compiler nor the processor can do them at once, and returns what came
// out, for the caller to keep.
//
//go:noinline
func work(n int, x uint64) uint64 {
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// steps returns how many steps of work take d on this machine.
func steps(d time.Duration) int {
	if d == 0 {
		return 0
	}
	return max(1, int(math.Round(float64(d.Nanoseconds())*stepsPerNS())))
}

// stepsPerNS is measured once. The quickest of several trials counts, because
// whatever else happens on the machine can only make a trial slower.
var stepsPerNS = sync.OnceValue(func() float64 {
	const trials, n = 15, 100_000
	var x uint64
	quickest := int64(math.MaxInt64)
	for range trials {
		start := clock.Now()
		x = work(n, x)
		quickest = min(quickest, clock.Now()-start)
	}
	keep(x)
	return n / float64(quickest)
})

// keep makes the compiler believe that x is needed.
//
//go:noinline
func keep(uint64) {}
