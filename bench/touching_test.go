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

// TestTouchIsMeasured: with Touch there is every figure that there is without, for a lock and
// for a delegate.
func TestTouchIsMeasured(t *testing.T) {
	for _, a := range []shm.Algorithm{queue.MCS(shm.Packed, shm.Sequential), delegation.CCSynchMutex()} {
		s, err := Measure(t.Context(), a, Workload{Procs: 2, Touch: true, Lines: 1}, brief)
		require.NoError(t, err, a.Name)
		for _, unit := range []string{nsPerOp, rate, jainRun, overlap, p50, longestRun} {
			v, ok := s.Get(unit)
			require.Truef(t, ok && v > 0, "%s: %v %s", a.Name, v, unit)
		}
		require.Contains(t, s.Line().Name, "/touch=1")
	}
	_, err := measure(t.Context(), queue.MCS(shm.Packed, shm.Sequential), Workload{Procs: 1, Touch: true}, brief, window{quota: 1})
	require.ErrorContains(t, err, "with readers or Touch, measure for a time")
}

// TestTouchMovesOneWord: a passage with Touch writes the process's number and leaves the words
// of the check as they are; the first passage that sees the ordering window checks.
func TestTouchMovesOneWord(t *testing.T) {
	tr, err := newTrial(queue.MCS(shm.Packed, shm.Sequential), Workload{Procs: 3, Touch: true})
	require.NoError(t, err)
	p, s := tr.procs[2], tr.section
	tr.lock = &endsPhase{Mutex: tr.lock, t: tr}
	tr.phase.Store(counting)
	require.Equal(t, over, p.touching(tr, counting))
	require.Equal(t, uint64(2), s.touched)
	require.Equal(t, []uint64{1000, 1}, []uint64{p.passages[counting], s.before})
	require.NotZero(t, s.edges[over].at)
	require.NoError(t, tr.check())
	p.passages[counting]++
	require.NoError(t, tr.check(), "no critical section has counted them")
	p.passages[over]++
	require.Error(t, tr.check())

	other := tr.procs[1]
	tr.phase.Store(counting)
	require.Equal(t, counting, other.touching(tr, warmingUp))
	require.Equal(t, uint64(1), s.touched, "the passage that sees the window open writes too")
	require.Equal(t, []uint64{0, 1}, []uint64{other.passages[warmingUp], other.passages[counting]})
}

// laxAtFirst excludes only from a time on.
type laxAtFirst struct {
	shm.Mutex
	until time.Time
	lax   []struct {
		is bool
		_  shm.Pad
	}
}

func (l *laxAtFirst) Lock(i int) {
	if l.lax[i].is = time.Now().Before(l.until); !l.lax[i].is {
		l.Mutex.Lock(i)
	}
}

func (l *laxAtFirst) Unlock(i int) {
	if !l.lax[i].is {
		l.Mutex.Unlock(i)
	}
}

// TestTouchDetectsLess: with Touch, a violation in the counted window is not detected, and one
// in a later window is.
func TestTouchDetectsLess(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	lax := queue.MCS(shm.Packed, shm.Sequential)
	build := lax.New
	lax.New = func(n int) (shm.Mutex, error) {
		m, err := build(n)
		// The ordering window opens when the warm-up and the counted window are over, later.
		l := &laxAtFirst{Mutex: m, until: time.Now().Add(brief.Duration)}
		l.lax = make([]struct {
			is bool
			_  shm.Pad
		}, n)
		return l, err
	}
	w := Workload{Procs: 4, CS: 20 * time.Microsecond}
	touch := w
	touch.Touch = true
	found := func(a shm.Algorithm, w Workload) bool {
		var broken *BrokenError
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
			if err := measured(t, a, w); errors.As(err, &broken) {
				return true
			} else if !errors.Is(err, ErrIdle) {
				require.NoError(t, err)
			}
		}
		return false
	}
	require.True(t, found(lax, w), "the check sees it")
	for range 5 {
		require.NoError(t, measured(t, lax, touch), "nothing looks for it")
	}
	require.True(t, found(baseline.Null, touch), "later windows check")
}
