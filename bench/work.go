package bench

import (
	"math"
	"slices"
	"sync"
	"time"

	"shmbench/internal/machine/clock"
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
	return stepsAt(d, stepsPerNS())
}

func stepsAt(d time.Duration, perNS float64) int {
	return max(1, int(math.Round(float64(d.Nanoseconds())*perNS)))
}

// stepsPerNS is measured once.
var stepsPerNS = sync.OnceValue(calibrate)

// calibrate measures how many steps take a ns, now. The trials are short and
// apart from one another, so that what else happens on the machine spoils few.
func calibrate() float64 {
	const trials, n = 30, 20_000
	var x uint64
	ns := make([]int64, trials)
	for i := range ns {
		start := clock.Now()
		x = work(n, x)
		ns[i] = clock.Now() - start
		time.Sleep(300 * time.Microsecond)
	}
	keep(x)
	return perNS(n, ns)
}

// perNS is how many steps are done in a ns, by the times that trials of n steps
// took. The quickest counts, because whatever else happens on the machine can
// only make a trial slower.
func perNS(n int, ns []int64) float64 { return float64(n) / float64(slices.Min(ns)) }

// keep makes the compiler believe that x is needed.
//
//go:noinline
func keep(uint64) {}
