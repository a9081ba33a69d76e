package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/clock"
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
	for range 20 {
		if c := workCheck(); c.Holds() {
			return
		}
	}
	t.Fatal(workCheck())
}

func TestAnOperationCostsTheMedian(t *testing.T) {
	require.Equal(t, 0.3, costOf(1000, []int64{9000, 100, 300, 200, 400}))
}

// A transfer is one answer: n of them are n answers, by both sides together.
func TestATransferIsOneAnswer(t *testing.T) {
	ns := make([]int64, 3)
	done, answers := exchange(100, ns, nil)
	require.Positive(t, done)
	// The other side may have answered once before the first trial and not yet
	// at the end.
	require.InDelta(t, done*100, answers, 1)
	for _, v := range ns[:done] {
		require.Positive(t, v)
	}
}

// The times are those of the answers: all trials together take as long as the
// exchange, but for its beginning and end. Others may have the processor there.
func TestTransfersTakeTheTimeOfTheExchange(t *testing.T) {
	ns := make([]int64, 3)
	best := 0.0
	for range 50 {
		start := clock.Now()
		done, _ := exchange(20_000, ns, nil)
		sum := int64(0)
		for _, v := range ns[:done] {
			sum += v
		}
		best = max(best, float64(sum)/float64(clock.Now()-start))
		if best > 0.7 {
			break
		}
	}
	require.Greater(t, best, 0.7)
	require.LessOrEqual(t, best, 1.0)
}
