package bench

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/baseline"
	"shmbench/delegation"
	"shmbench/queue"
	"shmbench/shm"
)

// TestExecuteIsMeasured: passages by Execute have all figures of time and of order, for a
// delegate and for the adapter.
func TestExecuteIsMeasured(t *testing.T) {
	for _, a := range []shm.Algorithm{delegation.CCSynchMutex(), delegation.FlatCombiningMutex(), queue.MCS(shm.Packed, shm.Sequential)} {
		s, err := Measure(t.Context(), a, Workload{Procs: 2, Execute: true, Lines: 2}, brief)
		require.NoError(t, err, a.Name)
		for _, unit := range []string{nsPerOp, rate, jainRun, overlap, p50} {
			v, ok := s.Get(unit)
			require.Truef(t, ok && v > 0, "%s: %v %s", a.Name, v, unit)
		}
		_, ok := s.Get(bypass)
		require.True(t, ok, a.Name)
	}
	require.NoError(t, measured(t, baseline.Null, Workload{Procs: 1, Execute: true}))
}

// unordered is a delegate whose processes run their requests at any time.
type unordered struct{ shm.Mutex }

func (l unordered) Delegate() shm.Delegate { return l }

func (unordered) Execute(_ int, f func() uint64) uint64 { return f() }

// TestExecutionsThatOverlapAreSeen: a delegate that does not exclude requests is broken, and
// the adapter of its lock is not.
func TestExecutionsThatOverlapAreSeen(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	a := queue.MCS(shm.Packed, shm.Sequential)
	build := a.New
	a.New = func(n int) (shm.Mutex, error) {
		m, err := build(n)
		return unordered{m}, err
	}
	var broken *BrokenError
	w := Workload{Procs: 4, CS: 20 * time.Microsecond, Execute: true}
	for deadline := time.Now().Add(20 * time.Second); !errors.As(measured(t, a, w), &broken); {
		require.True(t, time.Now().Before(deadline), "never seen")
	}
	a.New = build
	require.NoError(t, measured(t, a, w))
}
