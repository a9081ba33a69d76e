package sim

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/internal/testkit/sample"
)

// server is an M/D/1 server, which theory solves: node 0 lets in its thread that has
// waited longest, and no other node asks.
func server() *distributed.Algorithm {
	return algorithm(func(me distributed.ID) distributed.Node {
		var waiting []distributed.Thread
		f := &fake{}
		if me > 0 {
			return f
		}
		f.request = func(t distributed.Thread, out *distributed.Out) {
			if waiting = append(waiting, t); len(waiting) == 1 {
				out.Grant(t)
			}
		}
		f.release = func(_ distributed.Thread, out *distributed.Out) {
			if waiting = waiting[1:]; len(waiting) > 0 {
				out.Grant(waiting[0])
			}
		}
		return f
	})
}

// serve returns options of a server with utilisation rho, and the waiting time
// that theory gives.
func serve(rho float64, entries int) (o Options, wait float64) {
	o = system(server(), 2, 1000, Poisson(rho/0.010), entries)
	return o, rho * 0.010 / (2 * (1 - rho))
}

func TestQueueOfTheory(t *testing.T) {
	o, wait := serve(0.5, 100_000)
	rs, err := Replicate(context.Background(), o, 8)
	require.NoError(t, err)
	w := Across(rs, func(r *Result) float64 { return r.Waiting.Mean })
	require.InDelta(t, wait, w.Mean, 2*w.Half)
	require.Less(t, w.Half, 0.0001)
	require.Equal(t, 1.0, rs[0].Local.Mean)
	require.Equal(t, 0.0, rs[0].MessagesPerEntry.Mean)
}

// The interval of a single run covers the truth as often as it says, over 150
// seeds, or there is none: a run too short for its load gets none.
func TestIntervalOfOneRunCovers(t *testing.T) {
	sample.NeedsAll(t)
	for _, c := range []struct {
		rho     float64
		entries int
		given   float64 // the least share of runs that get an interval
		none    float64 // the most
	}{
		{0.5, 1000, 0, 0},
		{0.5, 10_000, 0.8, 1},
		{0.9, 1000, 0, 0},
		{0.9, 10_000, 0, 0.02},
		{0.8, 26_000, 0.5, 1},
	} {
		const seeds = 150
		o, wait := serve(c.rho, c.entries)
		rs, err := Replicate(context.Background(), o, seeds)
		require.NoError(t, err)
		given, covers := 0, 0
		for _, r := range rs {
			if i := r.Waiting; !math.IsNaN(i.Half) {
				given++
				if i.Lowest() <= wait && wait <= i.Highest() {
					covers++
				}
			}
		}
		t.Logf("utilisation %v, %d entries: %d of %d intervals cover", c.rho, c.entries, covers, given)
		require.GreaterOrEqual(t, float64(given), c.given*seeds)
		require.LessOrEqual(t, float64(given), c.none*seeds)
		if given > 30 {
			require.GreaterOrEqual(t, float64(covers)/float64(given), 0.90)
		}
	}
}

// One leave is one hand-over, also when the next to enter crashes inside.
func TestSyncDelayCountsALeaveOnce(t *testing.T) {
	handovers := func(o Options) (n int64) {
		e, err := newEngine(&o)
		require.NoError(t, err)
		e.start()
		e.play(context.Background(), math.MaxInt64)
		n = e.meter.batches.open.handovers
		for _, b := range e.meter.batches.done {
			n += b.handovers
		}
		return n
	}
	o := system(find(t, "central-bully"), 5, 1, Saturated(), 60)
	o.Warmup = 0
	require.Equal(t, int64(59), handovers(o))
	o.Faults = []Fault{{At: time.Second, Kind: CrashInside}}
	require.Equal(t, int64(59), handovers(o), "60 leaves and 61 entries, of which one follows a crash")
}
