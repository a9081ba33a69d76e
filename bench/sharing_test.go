package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/locks/baseline"
	"shmbench/locks/rw"
	"shmbench/shm"
	"shmbench/tas"
)

// With readers there is what is of time and of passages, and nothing of an order.
func TestReadersAreMeasured(t *testing.T) {
	for _, a := range []shm.Algorithm{rw.PhaseFair(shm.Padded, shm.Sequential), tas.TTAS(shm.Sequential)} {
		for _, share := range []float64{0.5, 1} {
			s := figured(t, a, Workload{Procs: 2, Readers: share, Lines: 1}, brief, nsPerOp, rate, jainRun, overlap, p50)
			for _, unit := range []string{bypass, handoffP50, longestRun} {
				_, ok := s.Get(unit)
				require.False(t, ok, unit)
			}
		}
	}
	_, err := measure(t.Context(), rw.ReaderPref, Workload{Procs: 1, Readers: 0.5}, brief, window{quota: 1})
	require.ErrorContains(t, err, "with readers or Touch, measure for a time")
}

// halfRead is a lock whose readers do not wait.
type halfRead struct{ shm.Mutex }

func (halfRead) RLock(int)   {}
func (halfRead) RUnlock(int) {}

// A share of passages is made by RLock, and nothing is written in them: the null lock
// alone keeps count. Readers that do not wait for writers are seen.
func TestReadersMeetWriters(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	var s section
	require.False(t, s.look(func() {}))
	require.True(t, s.look(func() { s.enter() }))
	require.True(t, s.look(func() { s.leave() }), "one was inside")
	require.True(t, s.look(func() { s.enter(); s.leave() }))

	a := tas.TTAS(shm.Sequential)
	a.New = func(n int) (shm.Mutex, error) {
		m, err := tas.NewTTAS(n, shm.Sequential)
		return halfRead{m}, err
	}
	broken(t, a, Workload{Procs: 4, CS: 20 * time.Microsecond, Readers: 0.5}, brief)
	figured(t, baseline.Null, Workload{Procs: 1, Readers: 0.5}, brief)
}
