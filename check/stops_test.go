package check

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// countdown is a context that is canceled when it has been asked so many times.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func canceledAfter(t *testing.T, looks int64) *countdown {
	c := new(countdown)
	c.Context, c.cancel = context.WithCancel(t.Context())
	t.Cleanup(c.cancel)
	c.left.Store(looks)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestStops stops every search at bounds on states and on memory, and by interrupts. Each time there is
// an answer, and it does not contradict the one of the whole search.
func TestStops(t *testing.T) {
	t.Parallel()
	searches := map[string]Options{
		"all":        {},
		"safety":     {Safety: true},
		"checkpoint": {Safety: true, LockOnly: true},
		"tso":        {TSO: true},
		"registers":  {Registers: shm.Safe},
		"one crash":  {Crashes: &Crashes{Most: 1}},
		"crashes":    {Crashes: &Crashes{}},
		"system":     {Crashes: &Crashes{System: true}},
		"witnesses":  {Witness: Witnesses, Sources: true},
	}
	// In these locks processes allocate, panic, count, try, crash, or do what cannot be modeled.
	locks := []struct{ pkg, constructor string }{
		{"nodes", "NewEveryone"}, {"nodes", "NewMCS"}, {"locks", "NewPanics"}, {"counts", "NewTicket"}, {"modes", "NewTicket"},
		{"crashes", "NewTicketFAI"}, {"crashes", "NewTASFinished"}, {"traps", "NewSlowPanics"}, {"traps", "NewHundred"},
	}
	for name, o := range searches {
		for _, l := range locks {
			if quick := l.constructor == "NewEveryone" && name != "crashes" && name != "system" || l.pkg == "traps" && name == "all"; !quick && !sample.All() {
				continue
			}
			t.Run(name+" "+l.constructor, func(t *testing.T) { stop(t, Testdata(t, l.pkg), l.constructor, o) })
		}
	}
}

// stop stops one search everywhere.
func stop(t *testing.T, src *Source, constructor string, o Options) {
	o.N = []int{2}
	check := func(ctx context.Context, what string) []*Report {
		if o.Safety && o.LockOnly {
			o.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		}
		if o.Replays = 0; src == Testdata(t, "nodes") || sample.All() {
			o.Replays = 20
		}
		reports, err := src.Once(ctx, constructor, o)
		if ctx.Err() == nil {
			require.NoError(t, err, what)
		} else if err != nil {
			require.ErrorIs(t, err, context.Canceled, what)
		}
		require.NoError(t, Table(reports).WriteText(io.Discard))
		_, err = json.Marshal(reports)
		require.NoError(t, err)
		return reports
	}
	o.MaxStates = 20_000
	whole := check(t.Context(), "whole")
	agree := func(ctx context.Context, what string) {
		for i, r := range check(ctx, what) {
			for _, p := range r.all() {
				if v := whole[i].on(p.name); *p.v == Violated && v == Holds || *p.v == Holds && v == Violated {
					assert.Fail(t, "contradiction", "%s: %s is %s, and %s in the whole", what, p.name, *p.v, v)
				}
			}
		}
	}
	for _, o.MaxStates = range []int{1, 10, 100, 1000} {
		agree(t.Context(), fmt.Sprintf("%d states", o.MaxStates))
	}
	for _, o.MaxBytes = range []int64{1 << 17, 1 << 20} {
		agree(t.Context(), fmt.Sprintf("%d bytes", o.MaxBytes))
	}
	const looks = 1 << 40
	o.MaxBytes, o.MaxStates = 0, 300
	ctx := canceledAfter(t, looks)
	check(ctx, "counted")
	all := looks - ctx.left.Load()
	for k := int64(0); k < all; k += max(1, all/10) {
		agree(canceledAfter(t, k), fmt.Sprintf("canceled after %d looks", k))
	}
}

// TestMaxStatesBoundsLearning: a bound on states also bounds the visits that learn a lock, and progress reports them.
func TestMaxStatesBoundsLearning(t *testing.T) {
	t.Parallel()
	most := 0
	o := Options{N: []int{3}, MaxStates: 50, Replays: 1, Progress: func(p Progress) {
		require.True(t, p.Learning)
		most = max(most, p.States)
	}}
	reports, err := Testdata(t, "nodes").Once(t.Context(), "NewEveryone", o)
	require.NoError(t, err)
	require.Equal(t, Violated, reports[0].MutualExclusion)
	require.Less(t, reports[0].States, 100)
	require.Positive(t, most)
	require.Less(t, most, 1<<14)
}
