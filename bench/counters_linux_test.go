package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Not every machine lets programs see the processor's counters, but the
// kernel's own go the same way.
func TestCountersCountAllThreads(t *testing.T) {
	const clock = unix.PERF_COUNT_SW_TASK_CLOCK
	c, err := openCounters(unix.PERF_TYPE_SOFTWARE, [len(counterUnits)]uint64{clock, clock, unix.PERF_COUNT_SW_PAGE_FAULTS})
	if err != nil {
		t.Skip(err)
	}
	defer c.Close()
	before := takeUsage(c)
	s, err := Measure(t.Context(), get(t, "queue/ticket"), Workload{Procs: 2}, Options{Duration: brief.Duration, Counters: c})
	require.NoError(t, err)
	spent := takeUsage(c).since(before)
	require.Positive(t, spent.counters[0], "ns of processor time")
	perPassage, ok := s.Get(counterUnits[0])
	require.True(t, ok)
	require.Positive(t, perPassage)
}

func TestNoCountersCountNothing(t *testing.T) {
	var c *Counters
	require.Empty(t, takeUsage(c).counters)
}

func TestCountersOfAnUnknownKindAreRefused(t *testing.T) {
	_, err := openCounters(1<<30, counterEvents)
	require.ErrorContains(t, err, "no hardware counters: perf_event_open for cycles/op")
}
