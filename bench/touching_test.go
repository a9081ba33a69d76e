package bench

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
	"shmbench/locks/baseline"
	"shmbench/locks/delegation"
	"shmbench/locks/queue"
	"shmbench/shm"
)

// TestTouchIsMeasured: with Touch there is every figure that there is without, for a lock and
// for a delegate.
func TestTouchIsMeasured(t *testing.T) {
	for _, a := range []shm.Algorithm{queue.MCS(shm.Packed, shm.Sequential), delegation.CCSynchMutex()} {
		s := figured(t, a, Workload{Procs: 2, Touch: true, Lines: 1}, brief, nsPerOp, rate, jainRun, overlap, p50, longestRun)
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

// laxAtFirst is a lock that a process takes only after some passages that it makes without.
type laxAtFirst struct {
	shm.Mutex
	made []struct { // lax passages of each process
		n atomic.Int64
		_ shm.Pad
	}
}

// laxPassages is how many lax passages a process makes in the counted window. The window
// goes on for more, unless it is cut on a busy machine.
const laxPassages = fewPassages / 2

func (l *laxAtFirst) Lock(i int) {
	if l.made[i].n.Load() >= laxPassages {
		l.Mutex.Lock(i)
	}
}

func (l *laxAtFirst) Unlock(i int) {
	if l.made[i].n.Load() >= laxPassages {
		l.Mutex.Unlock(i)
	} else {
		l.made[i].n.Add(1)
	}
}

// TestTouchDetectsLess: with Touch, a violation in the counted window is not detected, and one
// in a later window is.
func TestTouchDetectsLess(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	w := Workload{Procs: 4, CS: 20 * time.Microsecond}
	touch := w
	touch.Touch = true
	var l *laxAtFirst
	lax := queue.MCS(shm.Packed, shm.Sequential)
	build := lax.New
	lax.New = func(n int) (shm.Mutex, error) {
		m, err := build(n)
		l = &laxAtFirst{Mutex: m, made: make([]struct {
			n atomic.Int64
			_ shm.Pad
		}, n)}
		return l, err
	}
	// measured returns the error of a sample. It tries again where a lax passage may have lasted
	// until the next window opened.
	measured := func(w Workload) (err error) {
		deadline.Try(t, 0.1, func() bool {
			inTime := true
			_, err = measure(t.Context(), lax, w, brief, window{detail: func(time.Duration) time.Duration { return time.Millisecond }, closed: func() {
				for i := range l.made {
					inTime = inTime && l.made[i].n.Load() == laxPassages
				}
			}})
			return inTime && !errors.Is(err, ErrIdle)
		})
		return err
	}
	deadline.Try(t, 0.1, func() bool { return errors.As(measured(w), new(*BrokenError)) })
	for range 5 {
		require.NoError(t, measured(touch), "nothing looks for it")
	}
	broken(t, baseline.Null, touch, brief)
}
