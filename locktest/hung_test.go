package locktest_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/locktest"
	"shmbench/shm"
	"shmbench/shm/spin"
	"shmbench/tas"
)

// TestHung: a lock that hangs does not hang the suite; the report says who
// waits where, and the rest of the rules is skipped.
func TestHung(t *testing.T) {
	hangs := spec(fair, func(n int) shm.Mutex {
		var gone atomic.Bool
		return broken{func(pid int) { spin.Until(func() bool { return pid != n-1 || gone.Load() }) }, func(int) {}}
	})
	err := locktest.Verify(t.Context(), hangs, locktest.Options{
		Rules: []string{"sequential reuse", "exclusion"}, Deadline: 200 * time.Millisecond})
	require.ErrorContains(t, err, "hung: no process moved for 200ms")
	require.ErrorContains(t, err, "hung_test.go:")
	require.NotContains(t, err.Error(), "exclusion")
}

// TestBadOptions: wrong options are named, and nothing is run.
func TestBadOptions(t *testing.T) {
	good := spec(fair, newTAS)
	for _, c := range []struct {
		spec shm.Algorithm
		o    locktest.Options
		says string
	}{
		{good, locktest.Options{Rules: []string{"mutual"}}, `no rule "mutual"`},
		{good, locktest.Options{Procs: []int{17}}, "n = 17"},
		{good, locktest.Options{Passages: -1}, "negative"},
		{shm.Algorithm{Name: "x/y", MinProcs: 1, MaxProcs: 1}, locktest.Options{}, "no New"},
		{shm.Algorithm{Name: "x/y", New: good.New}, locktest.Options{}, "0 to 0"},
	} {
		require.ErrorContains(t, locktest.Verify(t.Context(), c.spec, c.o), c.says)
	}
}

// TestCancelled: a canceled context ends the check with its error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, locktest.Verify(ctx, tas.TAS(shm.Sequential), locktest.Options{}), context.Canceled)
}

// The rules that are about processors run on those that they name, and leave
// them as they were.
func TestRulesRunOnTheProcessorsTheyName(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for rule, most := range map[string]int{
		"exclusion": 3, "exclusion with GOMAXPROCS=1": 1, "exclusion with more goroutines than processors": 2,
	} {
		var seen [4]atomic.Bool
		noting := spec(fair, func(n int) shm.Mutex {
			m := newTAS(n)
			return broken{func(pid int) { seen[runtime.GOMAXPROCS(0)].Store(true); m.Lock(pid) }, m.Unlock}
		})
		require.NoError(t, locktest.Verify(t.Context(), noting, locktest.Options{Rules: []string{rule}, Procs: []int{2}, Passages: 20}))
		for procs := range seen {
			require.Equal(t, procs == most, seen[procs].Load(), "%s: GOMAXPROCS=%d", rule, procs)
		}
		require.Equal(t, 3, runtime.GOMAXPROCS(0))
	}
}

// A process whose waiting cannot be seen gets its turns on the only processor,
// as elsewhere it might not run before the others enter.
func TestUnseenWaitingHasTheOnlyProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var alone atomic.Bool
	fifo := spec(fair, func(int) shm.Mutex {
		var next, serving atomic.Uint32
		return broken{
			func(int) {
				for ticket := next.Add(1) - 1; serving.Load() != ticket; runtime.Gosched() {
					if runtime.GOMAXPROCS(0) == 1 {
						alone.Store(true)
					}
				}
			},
			func(int) { serving.Add(1) },
		}
	})
	require.NoError(t, locktest.Verify(t.Context(), fifo, locktest.Options{Rules: []string{"first-come-first-served"}, Trials: 1}))
	require.True(t, alone.Load())
	require.Equal(t, 2, runtime.GOMAXPROCS(0))
}
