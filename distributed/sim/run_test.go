package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/permission"
	"shmbench/distributed/several"
)

// Every algorithm of the catalog is safe and gets all its entries, under each
// load, with one thread a node and with three.
func TestCatalogueRuns(t *testing.T) {
	for _, a := range catalog.All {
		for _, m := range []int{1, 3} {
			for _, l := range []Load{Poisson(0.1), Poisson(5), PoissonAny(1), Saturated(), Single()} {
				r := run(t, system(a, 7, m, l, 500))
				require.Equal(t, Complete, r.End, "%s, %d threads, %v: %s", a.Name, m, l, r.Detail)
				require.Equal(t, 500, r.Entries)
			}
		}
	}
}

// Where theory gives the number, the simulator gives that number: with every
// delay 1 s, Ricart and Agrawala's cost 2(n-1) messages, 2 s of waiting when
// alone and 1 s from a leave to the next entry.
func TestRicartAgrawalaByTheBook(t *testing.T) {
	o := system(find(t, "ricart-agrawala"), 5, 1, Single(), 500)
	o.Delay = Fixed(time.Second)
	r := run(t, o)
	require.Equal(t, 8.0, r.MessagesPerEntry.Mean)
	require.Equal(t, Interval{2, 0}, r.Waiting)
	require.True(t, math.IsNaN(r.SyncDelay.Mean), "nobody ever waits for another")
	require.Equal(t, int64(500*4), r.Messages[distributed.Reply])
	require.Zero(t, r.Local.Mean)

	o.Load, o.Section = Saturated(), Fixed(10*time.Second)
	r = run(t, o)
	require.InDelta(t, 8.0, r.MessagesPerEntry.Mean, 0.01)
	require.Equal(t, Interval{1, 0}, r.SyncDelay)
	require.InDelta(t, 1.0/11, r.Throughput.Mean, 1e-9)
	require.Equal(t, int64(4), r.Bypass)
	require.InDelta(t, 1, r.Jain, 1e-4)
}

// Messages of a kind with a delay of its own take that, and the others what all take.
func TestDelaysOfKinds(t *testing.T) {
	o := system(find(t, "ricart-agrawala"), 5, 1, Single(), 100)
	o.Delay = Fixed(3 * time.Second)
	o.Delays = map[distributed.Kind]Distribution{distributed.Reply: Fixed(time.Second)}
	require.Equal(t, 3.0+1, run(t, o).Waiting.Mean)
	for _, bad := range []Distribution{Fixed(0), Fixed(4 * time.Second), Fixed(-time.Second)} {
		o.Delays[distributed.Reply] = bad
		require.ErrorContains(t, o.Check(), "reply")
	}
}

// Arrivals are Poisson of the rate given, at each node.
func TestArrivalRate(t *testing.T) {
	o := system(find(t, "central"), 10, 50, Poisson(0.5), 20_000)
	rs, err := Replicate(context.Background(), o, 5)
	require.NoError(t, err)
	i := Across(rs, func(r *Result) float64 { return r.Throughput.Mean })
	require.InDelta(t, 5, i.Mean, 0.1)
	require.Less(t, i.Half, 0.2)
}

// Messages of a pair arrive in the order of sending, unless they may overtake.
func TestOrderOfPairs(t *testing.T) {
	overtaken := func(overtaking bool) int {
		count, last := 0, int64(-1)
		o := system(algorithm(func(me distributed.ID) distributed.Node {
			f := &fake{}
			f.Quiet = distributed.Quiet{}
			var stamp int64
			f.request = func(t distributed.Thread, out *distributed.Out) {
				if me == 1 {
					for range 10 {
						out.Send(distributed.Message{From: 1, To: 0, Stamp: stamp})
						stamp++
					}
				} else {
					out.Grant(t)
				}
			}
			f.receive = func(m distributed.Message, _ *distributed.Out) {
				if m.Stamp < last {
					count++
				}
				last = max(last, m.Stamp)
			}
			return f
		}), 2, 1000, Poisson(1), 1000)
		o.Overtaking = overtaking
		run(t, o)
		return count
	}
	require.Zero(t, overtaken(false))
	require.NotZero(t, overtaken(true))
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, a := range catalog.All {
		if strings.HasPrefix(a.Name, "suzuki-kasami") {
			continue // its token grows and shrinks by design
		}
		o := system(a, 31, 5, Poisson(0.6), 1<<30)
		e, err := newEngine(&o)
		require.NoError(t, err)
		e.start()
		e.play(context.Background(), 100_000)
		require.Less(t, testing.AllocsPerRun(10, func() { e.play(context.Background(), e.meter.events+10_000) }), 5.0,
			"%s: allocations in 10000 events, where queues still grow to their longest", a.Name)
	}
}

// A run that is lengthened is as if it had had that warm-up from the beginning,
// at every load, once and again, and also where nothing lies between.
func TestALengthenedRunIsALongerOne(t *testing.T) {
	for _, load := range []Load{Poisson(1), PoissonAny(1), Saturated(), Single()} {
		o := system(find(t, "alien-v2-pb"), 7, 3, load, 50)
		o.Warmup, o.Series = 20, true
		s, err := Begin(o)
		require.NoError(t, err)
		for _, warmup := range []int{20, 70, 200, 1000} {
			if warmup > 20 {
				s.Lengthen(warmup)
			}
			o.Warmup = warmup
			whole, err := Run(t.Context(), o)
			require.NoError(t, err)
			require.Equal(t, Complete, whole.End, whole.Detail)
			got := s.Run(t.Context())
			require.Equal(t, *whole.Series, *got.Series)
			got.Series, whole.Series = nil, nil
			require.Equal(t, fmt.Sprint(whole), fmt.Sprint(got), "%v, %d", load, warmup) // a text, as NaN is not NaN
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Run(ctx, system(find(t, "raymond"), 7, 1, Saturated(), 1000))
	require.NoError(t, err)
	require.Equal(t, Cancelled, r.End)
	_, err = Replicate(ctx, system(find(t, "raymond"), 7, 1, Saturated(), 1000), 3)
	require.ErrorIs(t, err, context.Canceled)
}

// Holders of different resources may be in their critical sections together. Two holders
// of the same resource may not.
func TestResources(t *testing.T) {
	o := system(find(t, "central"), 6, 1, Saturated(), 600)
	o.Delay, o.Section = Fixed(time.Millisecond), Fixed(time.Second)
	alone := run(t, o)
	o.Algorithm = several.Algorithm(o.Algorithm, 3, several.InTurn(3))
	r := run(t, o)
	require.Equal(t, Complete, r.End, r.Detail)
	require.Greater(t, r.Throughput.Mean, 2.5*alone.Throughput.Mean)
	require.InDelta(t, alone.MessagesPerEntry.Mean, r.MessagesPerEntry.Mean, 0.05)
	require.True(t, math.IsNaN(r.SyncDelay.Mean))

	at := slices.IndexFunc(permission.Mutants, func(a distributed.Algorithm) bool { return a.Name == "central-grants-at-once" })
	o.Algorithm = several.Algorithm(&permission.Mutants[at], 3, several.InTurn(3))
	r = run(t, o)
	require.Equal(t, Violated, r.End)
	require.Contains(t, r.Detail, " was in its critical section")
}
