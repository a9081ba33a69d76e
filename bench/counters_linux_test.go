package bench

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Not every machine lets programs see the processor's counters, but the
// kernel's own go the same way.
func TestCountersCountAllThreads(t *testing.T) {
	const clock = unix.PERF_COUNT_SW_TASK_CLOCK
	c, err := openCounters(unix.PERF_TYPE_SOFTWARE, [len(counterUnits)]uint64{clock, clock, unix.PERF_COUNT_SW_PAGE_FAULTS})
	for _, cannot := range []error{unix.EACCES, unix.EPERM, unix.ENOSYS, unix.ENOENT, unix.EOPNOTSUPP} {
		if errors.Is(err, cannot) {
			t.Skip(err)
		}
	}
	require.NoError(t, err)
	defer c.Close()
	before := takeUsage(c)
	// On a busy machine a window can be over before anybody has run in it.
	for range 20 {
		s, err := Measure(t.Context(), get(t, "queue/ticket"), Workload{Procs: 2}, Options{Duration: brief.Duration, Counters: c})
		if errors.Is(err, ErrIdle) {
			continue
		}
		require.NoError(t, err)
		perPassage, ok := s.Get(counterUnits[0])
		require.True(t, ok)
		if perPassage > 0 {
			require.Positive(t, takeUsage(c).since(before).counters[0], "ns of processor time")
			return
		}
	}
	t.Fatal("no processor time was counted")
}

func TestNoCountersCountNothing(t *testing.T) {
	var c *Counters
	require.Empty(t, takeUsage(c).counters)
}

func TestCountersOfAnUnknownKindAreRefused(t *testing.T) {
	_, err := openCounters(1<<30, counterEvents)
	require.ErrorContains(t, err, "no hardware counters: perf_event_open for cycles/op")
}
