package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/locks/baseline"
	"shmbench/locks/delegation"
	"shmbench/locks/queue"
	"shmbench/shm"
)

// TestExecuteIsMeasured: passages by Execute have all figures of time and of order, for a
// delegate and for the adapter.
func TestExecuteIsMeasured(t *testing.T) {
	for _, a := range []shm.Algorithm{delegation.CCSynchMutex(), delegation.FlatCombiningMutex(), queue.MCS(shm.Packed, shm.Sequential)} {
		s := figured(t, a, Workload{Procs: 2, Execute: true, Lines: 2}, brief, nsPerOp, rate, jainRun, overlap, p50)
		_, ok := s.Get(bypass)
		require.True(t, ok, a.Name)
	}
	figured(t, baseline.Null, Workload{Procs: 1, Execute: true}, brief)
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
	w := Workload{Procs: 4, CS: 20 * time.Microsecond, Execute: true}
	broken(t, a, w, brief)
	a.New = build
	figured(t, a, w, brief)
}
