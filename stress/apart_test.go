package stress_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/region/regiontest"
	"shmbench/shm/spin"
	"shmbench/stress"
	"shmbench/stress/testdata/broken"
)

// movable are broken locks, whose class lets them be shared between processes.
func movable() (all []shm.Algorithm) {
	for _, a := range append(broken.All(), overtakes) {
		a.Class = shm.ReadWrite
		all = append(all, a)
	}
	return all
}

// overtakes is a test-and-set lock that claims an order. It violates it on any machine,
// however busy: a process that has the lock takes it again and again while another one waits.
var overtakes = shm.Algorithm{Name: "test/overtakes", Claims: broken.LIFO.Claims}.
	Built(shm.Packed, shm.Sequential, func(shm.Build) shm.Mutex { return new(overtaking) })

type overtaking struct{ busy atomic.Bool }

func (l *overtaking) Lock(int) {
	for l.busy.Swap(true) {
		spin.Until(func() bool { return !l.busy.Load() })
	}
}

func (l *overtaking) Unlock(int) { l.busy.Store(false) }

// findForChild finds a lock for the children of these tests.
func findForChild(name, _ string) (shm.Algorithm, error) {
	for _, a := range movable() {
		if a.Name == name {
			return a, nil
		}
	}
	return catalog.Get(name)
}

// TestProcesses: correct locks show no forbidden outcome between processes of the operating
// system. What goes wrong in a broken one is found by the oracle that finds it between
// goroutines.
func TestProcesses(t *testing.T) {
	sample.NeedsAll(t)
	regiontest.Need(t)
	for name, finds := range map[string]string{
		"queue/mcs": "", "rw/bravo": "", "abort/mcsnb": "",
		"broken/TestThenSet": "overlap", "broken/PanicsLate": "panicked", "test/overtakes": "overtaken",
	} {
		t.Run(name, func(t *testing.T) {
			a, err := findForChild(name, "")
			require.NoError(t, err)
			duration := 100 * time.Millisecond
			if finds != "" {
				duration = deadline.Half(t) // it ends when the fault shows, which takes long on a busy machine
			}
			r, err := stress.Test(t.Context(), a, stress.Options{Procs: []int{3}, Processes: true, Duration: duration, Passages: 20_000})
			require.NoError(t, err)
			require.Equal(t, spin.PauseYield, spin.InUse())
			require.True(t, r.Processes)
			require.NotZero(t, r.Passages(), text(r))
			if finds == "" {
				require.Nil(t, r.Found, text(r))
			} else {
				require.NotNil(t, r.Found, text(r))
				require.Contains(t, r.Found.Oracle, finds)
			}
		})
	}
}

// TestProcessesShortly: the first lock's life is finished, however short the duration is. On a busy
// machine its phases may end without a passage.
func TestProcessesShortly(t *testing.T) {
	regiontest.Need(t)
	a, err := findForChild("queue/mcs", "")
	require.NoError(t, err)
	deadline.Try(t, 0.25, func() bool {
		r, err := stress.Test(t.Context(), a, stress.Options{Procs: []int{2}, Processes: true, Duration: time.Nanosecond, Seed: 3})
		require.NoError(t, err)
		require.Nil(t, r.Found, text(r))
		require.Equal(t, spin.PauseYield, spin.InUse())
		require.True(t, r.Processes)
		require.Equal(t, 1, r.Strides)
		require.Greater(t, r.Phases, 1)
		return r.Passages() > 0
	})
}

// TestProcessesRefused: a lock that cannot be shared between processes is refused.
func TestProcessesRefused(t *testing.T) {
	regiontest.Need(t)
	a, err := catalog.Get("baseline/mutex")
	require.NoError(t, err)
	_, err = stress.Test(t.Context(), a, stress.Options{Processes: true})
	require.ErrorAs(t, err, new(*region.Refusal))
}
