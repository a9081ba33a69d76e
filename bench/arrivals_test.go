package bench

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Waiting in queues whose answer is known: Pollaczek and Khinchine's formula,
// W = rho*S*(1+c*c)/(2*(1-rho)), with a variation c of the service time of 0 and 1.
func TestAnOpenLoopIsTheQueueOfTheTextbook(t *testing.T) {
	const service = 1e6
	for _, rho := range []float64{0.5, 0.8} {
		p := newProcess(3, Workload{Procs: 1, Rate: rho * 1e9 / service})
		got := queueWait(&p.arrivals, 400_000, func() float64 { return service })
		require.InEpsilon(t, rho*service/(2*(1-rho)), got, 0.04, "M/D/1 at %v", rho)

		p = newProcess(3, Workload{Procs: 1, Rate: rho * 1e9 / service})
		got = queueWait(&p.arrivals, 400_000, func() float64 { return service * p.rand.ExpFloat64() })
		require.InEpsilon(t, rho*service/(1-rho), got, 0.04, "M/M/1 at %v", rho)
	}
}

// An exponential distribution is as wide as it is long, and a part 1/e of it is
// longer than the mean.
func TestGapsAreExponential(t *testing.T) {
	const n, gap = 200_000, 1e6
	a := newProcess(0, Workload{Rate: 1e9 / gap}).arrivals
	var sum, squares float64
	long := 0
	last, made := int64(0), 0
	a.serve(func() int64 { return math.MaxInt64 }, nil, func() bool { return made > n }, func(due int64) {
		if d := float64(due - last); made > 0 {
			sum += d
			squares += d * d
			if d > gap {
				long++
			}
		}
		last = due
		made++
	})
	mean := sum / n
	require.InEpsilon(t, gap, mean, 0.01)
	require.InEpsilon(t, gap, math.Sqrt(squares/n-mean*mean), 0.02)
	require.InEpsilon(t, 1/math.E, float64(long)/n, 0.02)
}

// A late process catches up: what it is late by is not forgiven.
func TestAnOpenLoopKeepsItsSchedule(t *testing.T) {
	a := newProcess(0, Workload{Rate: 1e9}).arrivals
	b := newProcess(0, Workload{Rate: 1e9}).arrivals
	var slow, quick []int64
	now := int64(0)
	a.serve(func() int64 { return now }, func() { now++ }, func() bool { return len(slow) == 1000 }, func(due int64) {
		slow = append(slow, due)
		now += 1_000_000
	})
	b.serve(func() int64 { return math.MaxInt64 }, nil, func() bool { return len(quick) == 1000 }, func(due int64) { quick = append(quick, due) })
	require.Equal(t, quick, slow)
}

func TestProcessesDrawLotsOfTheirOwn(t *testing.T) {
	w := Workload{Procs: 2, Rate: 1e6}
	a, b := newProcess(0, w), newProcess(1, w)
	require.NotEqual(t, a.rand.Uint64(), b.rand.Uint64())
	require.NotEqual(t, a.arrivals.rand.Uint64(), b.arrivals.rand.Uint64())
}
