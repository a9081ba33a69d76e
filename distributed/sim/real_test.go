package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/permission"
)

// What a real run needs of the simulator: who asks, what was measured as a
// distribution, and how long each entry waited.
func TestForRealRuns(t *testing.T) {
	const entries = 500
	o := Options{
		Algorithm: &permission.Central, System: distributed.Config{Nodes: 5, Threads: 1}, Load: Single(),
		Section: Fixed(time.Second), Delay: Sampled([]time.Duration{0, time.Millisecond, 5 * time.Millisecond}), Entries: entries, Seed: 3,
	}
	var waits []time.Duration
	o.Waited = func(d time.Duration) { waits = append(waits, d) }
	r, err := Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, Complete, r.End)
	require.Len(t, waits, entries)

	next, remote := Askers(&o), 0
	for k := range entries {
		i := next()
		if i != 0 {
			remote++
			require.Contains(t, []time.Duration{2, 1e6 + 1, 2e6, 5e6 + 1, 6e6, 10e6}, waits[k])
		} else {
			require.Zero(t, waits[k])
		}
	}
	require.Equal(t, int64(remote), r.Messages[distributed.Request])

	require.Equal(t, 2*time.Millisecond, o.Delay.Mean())
	require.Equal(t, 5*time.Millisecond, o.Delay.Bound())
	require.Equal(t, "measured, mean 2ms, at most 5ms", o.Delay.String())
	require.PanicsWithValue(t, "sim: a distribution of no samples", func() { Sampled(nil) })
}
