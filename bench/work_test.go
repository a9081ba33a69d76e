package bench

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/clock"
	"shmbench/internal/testkit/deadline"
)

func TestWorkIsCalibratedByTheQuickestTrial(t *testing.T) {
	require.Equal(t, 2.5, perNS(1000, []int64{900, 400, 700}))
	require.Equal(t, 25, stepsAt(10*time.Nanosecond, 2.5))
	require.Equal(t, 1, stepsAt(1, 0.01), "some work is at least a step")
	require.Zero(t, steps(0))
}

// Against the clock, as the quickest of many, since others may have the processor,
// and anew where the machine has become quicker or slower meanwhile.
func TestWorkTakesItsTime(t *testing.T) {
	require.Equal(t, stepsAt(time.Millisecond, stepsPerNS()), steps(time.Millisecond))
	deadline.Try(t, 0.5, func() bool { return workCheck().Holds() })
}

func TestAnOperationCostsTheMedian(t *testing.T) {
	require.Equal(t, 0.3, costOf(1000, []int64{9000, 100, 300, 200, 400}))
}

// A transfer is one answer: n of them are n answers, by both sides together. Where
// something else has a processor there are fewer trials.
func TestATransferIsOneAnswer(t *testing.T) {
	ns := make([]int64, 3)
	for done := 0; done < len(ns); {
		var answers int
		done, answers = exchange(100, ns, twoProcessors())
		// The other side may have answered once in the first round trip, and less than
		// a trial more behind the last whole one.
		require.GreaterOrEqual(t, answers, done*100)
		require.Less(t, answers, (done+1)*100+2)
		for _, v := range ns[:done] {
			require.Positive(t, v)
		}
		if done == len(ns) {
			require.InDelta(t, done*100, answers, 1)
		}
	}
}

// With one processor for the two sides, and with a side that never comes, an exchange
// ends with fewer trials, and with no transfers in a trial it is no endless one.
func TestEveryExchangeEnds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	ns := make([]int64, 1000)
	done, _ := exchange(10_000, ns, nil)
	require.Less(t, done, len(ns))
	for n := range 3 {
		exchange(n, ns[:1], nil)
	}
	ball := newRegister[atomic.Uint32]()
	require.Equal(t, 0, rally(ball, 1, 1, clock.Now()))
	require.Equal(t, 1, rally(ball, 0, 5, clock.Now()), "it gave the ball away once")
	ball.Store(ended)
	require.Equal(t, 0, rally(ball, 0, 5, clock.Now()+int64(time.Hour)))
}

// A transfer counts only if the middle half of the trials took about the same time.
func TestSteady(t *testing.T) {
	require.True(t, steady([]int64{9000, 100, 110, 120, 140, 150, 1, 145}))
	require.False(t, steady([]int64{9000, 100, 110, 120, 140, 8000, 1, 9000}))
	require.True(t, steady([]int64{5}))
}

// The times are those of the answers: all trials together take as long as the
// exchange, except its beginning and end. Others may have the processor there, so
// that the test gives up only with the program.
func TestTransfersTakeTheTimeOfTheExchange(t *testing.T) {
	ns := make([]int64, 3)
	for part := 0.0; part < 0.7; {
		start := clock.Now()
		done, _ := exchange(10_000, ns, twoProcessors())
		sum := int64(0)
		for _, v := range ns[:done] {
			sum += v
		}
		part = float64(sum) / float64(clock.Now()-start)
		require.LessOrEqual(t, part, 1.0)
	}
}

// twoProcessors are processors for an exchange, nil where threads cannot be pinned.
func twoProcessors() []int {
	cpus, _ := processors(2, PinCores)
	return cpus
}
