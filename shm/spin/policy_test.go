package spin

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// untilAnotherRuns returns how often wait calls step before it lets another
// goroutine have the only processor; from then on step returns true. It is the
// median of many trials: in a few the scheduler or the operating system does
// something else.
func untilAnotherRuns(wait func(step func() bool)) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	trials := make([]int, 101)
	for i := range trials {
		var steps, seen atomic.Int32
		var ran atomic.Bool // also before the first step, where the system preempts this goroutine
		go func() { seen.Store(steps.Load()); ran.Store(true) }()
		wait(func() bool { steps.Add(1); return ran.Load() })
		trials[i] = int(seen.Load())
	}
	slices.Sort(trials)
	return trials[len(trials)/2]
}

func TestWhenAProcessYields(t *testing.T) {
	defer Use(InUse())
	inQueue := 1 + 256 + 2 // alone in the queue, a wait pauses once more
	if racing {
		inQueue = 1 + 256
	}
	for _, c := range []struct {
		policy Policy
		polls  int
		byLot  bool
	}{
		{PauseYield, 1 + 256, true},
		{Yielding, 1, false},
		{Turns, inQueue, false},
	} {
		t.Run(c.policy.String(), func(t *testing.T) {
			Use(c.policy)
			require.Equal(t, c.polls, untilAnotherRuns(func(step func() bool) { Until(step) }))
			pauses := untilAnotherRuns(func(step func() bool) {
				for !step() {
					Pause()
				}
			})
			require.Equal(t, c.byLot, pauses > 1, "%d pauses", pauses)
		})
	}
}

// TestAmong: with more processes than processors, a wait yields to the operating system
// after fewer polls.
func TestAmong(t *testing.T) {
	defer Among(0)
	for processes, pauses := range map[int]int{0: 256, 1: 256, runtime.NumCPU(): 256, runtime.NumCPU() + 1: 8} {
		Among(processes)
		require.Equal(t, pauses, pausesBeforeOSYield(), "%d processes", processes)
	}
}
