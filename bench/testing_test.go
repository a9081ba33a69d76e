package bench

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
)

// TestOptionsOfABenchmark: a window lasts as long as the passages will take, by the run before,
// and 20 ms at least.
func TestOptionsOfABenchmark(t *testing.T) {
	for _, c := range []struct {
		ns   float64
		n    int
		want time.Duration
	}{{0, 1000, 20 * time.Millisecond}, {1e6, 19, 20 * time.Millisecond}, {1e6, 21, 21 * time.Millisecond}, {2.5, 1e9, 2500 * time.Millisecond}} {
		m := benchmark{ns: c.ns}
		require.Equal(t, Options{Duration: c.want}, m.options(c.n), "%+v", c)
	}
}

// TestWindowOfABenchmark: the counted window has b.N passages if they have numbers. Otherwise
// the timer is reset after the heap is read, and stopped before.
func TestWindowOfABenchmark(t *testing.T) {
	b := &testing.B{N: 7}
	for _, w := range []Workload{{Procs: 1}, {Procs: 1, Readers: 0.5}, {Procs: 1, Touch: true}} {
		var used heapUse
		m := benchmark{workload: w}
		win := m.window(b, &used)
		require.Equal(t, 5*time.Millisecond, win.warmUp)
		require.Equal(t, 20*time.Millisecond, win.least)
		for counted, want := range map[time.Duration]time.Duration{
			0: time.Millisecond, 4 * time.Millisecond: time.Millisecond, 5 * time.Millisecond: 1250 * time.Microsecond,
			200 * time.Millisecond: 50 * time.Millisecond, time.Second: 50 * time.Millisecond,
		} {
			require.Equal(t, want, win.detail(counted), "%v", counted)
		}
		b.StartTimer()
		win.opened()
		opened := b.Elapsed()
		win.closed()
		stopped := b.Elapsed()
		require.Equal(t, stopped, b.Elapsed(), "the timer stands")
		require.LessOrEqual(t, opened, stopped)
		if w.numbered() {
			require.EqualValues(t, 7, win.quota)
			require.Same(t, &used, win.heap)
			require.Zero(t, used)
			continue
		}
		require.Zero(t, win.quota)
		require.Nil(t, win.heap)
		require.NotZero(t, used.opened.bytes)
		require.GreaterOrEqual(t, used.closed.bytes, used.opened.bytes)
	}
}

// TestRunTimer: the timer of a benchmark has run for the time of its passages, and stands.
func TestRunTimer(t *testing.T) {
	b := new(testing.B)
	b.StartTimer()
	runTimer(b, time.Millisecond)
	took := b.Elapsed()
	require.GreaterOrEqual(t, took, time.Millisecond)
	require.Equal(t, took, b.Elapsed())
}

// TestNullOfABenchmark: the null lock is measured with the work of one process.
func TestNullOfABenchmark(t *testing.T) {
	for _, w := range []Workload{{Procs: 4, CS: time.Microsecond}, {Procs: 4, Rate: 1000}, {Procs: 4, Touch: true}} {
		m := benchmark{workload: w}
		var s Sample
		deadline.Try(t, 0.1, func() bool {
			var err error
			s, err = m.null(t.Context())
			if w.Touch && errors.Is(err, ErrIdle) {
				return false // on a busy machine
			}
			require.NoError(t, err, "%v", w)
			return true
		})
		w.Procs, w.Rate = 1, 0
		require.Equal(t, w, s.Workload)
		require.NotZero(t, s.Passages)
	}
}
