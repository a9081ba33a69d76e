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
	figured(t, get(t, "queue/ticket"), Workload{Procs: 2}, Options{Duration: brief.Duration, Counters: c}, counterUnits[0])
	require.Positive(t, takeUsage(c).since(before).counters[0], "ns of processor time")
}

func TestNoCountersCountNothing(t *testing.T) {
	var c *Counters
	require.Empty(t, takeUsage(c).counters)
}

func TestCountersOfAnUnknownKindAreRefused(t *testing.T) {
	_, err := openCounters(1<<30, counterEvents)
	require.ErrorContains(t, err, "no hardware counters: perf_event_open for cycles/op")
}
