package bench

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/baseline"
	"shmbench/catalog"
	"shmbench/shm"
)

var brief = Options{Duration: 10 * time.Millisecond}

func get(t *testing.T, name string) shm.Algorithm {
	t.Helper()
	a, err := catalog.Get(name)
	require.NoError(t, err)
	return a
}

func TestEveryAlgorithmIsMeasured(t *testing.T) {
	for i, a := range catalog.All() {
		if a.VariantOf != "" {
			continue // it is measured as the lock is that it is a variant of
		}
		n := min(1+i%3, a.MaxProcs)
		s, err := Measure(t.Context(), a, Workload{Procs: n}, Options{Duration: 2 * time.Millisecond})
		if errors.Is(err, ErrIdle) {
			continue // the machine had something else to do
		}
		require.NoError(t, err)
		require.Equal(t, a.Name, s.Algorithm)
		require.Positive(t, s.Passages)
		for _, unit := range []string{nsPerOp, rate, jainRun, overlap} {
			v, ok := s.Get(unit)
			require.Truef(t, ok && v > 0, "%s with %d processes: %v %s", a.Name, n, v, unit)
		}
	}
}

// The critical section must see a lock that does not exclude. On one processor
// the processes meet only where one is preempted inside, so the critical
// section is long.
func TestABrokenLockIsAnError(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	var broken *BrokenError
	w := Workload{Procs: 4, CS: 20 * time.Microsecond}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		_, err := Measure(t.Context(), baseline.Null, w, Options{Duration: 100 * time.Millisecond})
		if errors.As(err, &broken) {
			require.ErrorContains(t, err, "baseline/null: mutual exclusion is violated: 4 processes made")
			return
		}
		require.NoError(t, err)
	}
	t.Fatal("the null lock passed for a lock")
}

func TestTheCheckSeesAPassageThatIsLost(t *testing.T) {
	s := newSection(0, 0)
	s.enter()
	s.leave()
	require.True(t, s.exclusive(1))
	require.False(t, s.exclusive(2), "one passage was not counted")
	s.enter()
	s.enter() // two at once
	s.leave()
	s.leave()
	require.False(t, s.exclusive(3))
}

func TestTheQuotaClosesTheWindow(t *testing.T) {
	win := window{quota: 1000, detail: func(time.Duration) time.Duration { return time.Millisecond }}
	for _, n := range []int{1, 2, 4} {
		s, err := measure(t.Context(), get(t, "queue/ticket"), Workload{Procs: n}, Options{}, win)
		require.NoError(t, err)
		require.Equal(t, uint64(1000), s.Passages)
	}
}

func TestMeasureRefuses(t *testing.T) {
	a := get(t, "peterson/peterson")
	_, err := Measure(t.Context(), a, Workload{Procs: 3}, brief)
	var procs *shm.ProcsError
	require.ErrorAs(t, err, &procs)
	_, err = Measure(t.Context(), a, Workload{}, brief)
	require.ErrorContains(t, err, "0 processes")
	_, err = Measure(t.Context(), a, Workload{Procs: 1}, Options{Duration: -time.Second})
	require.ErrorContains(t, err, "duration of -1s")
	_, err = Measure(t.Context(), get(t, "tas/tas"), Workload{Procs: 1000}, Options{Duration: time.Second, Pin: PinCores})
	require.ErrorContains(t, err, "pin")
}

func TestMeasureEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := Measure(ctx, get(t, "queue/mcs"), Workload{Procs: 3}, Options{Duration: time.Hour})
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheCountedLoopDoesNotAllocate(t *testing.T) {
	t0, err := newTrial(get(t, "queue/clh"), Workload{Procs: 1}, 0)
	require.NoError(t, err)
	t0.lock = &endsPhase{Mutex: t0.lock, t: t0}
	p := t0.procs[0]
	require.Zero(t, testing.AllocsPerRun(10, func() {
		t0.phase.Store(counting)
		require.Equal(t, over, p.closed(t0, counting))
	}))
}

// endsPhase ends the counted window at every thousandth passage.
type endsPhase struct {
	shm.Mutex
	t     *trial
	calls int
}

func (l *endsPhase) Unlock(i int) {
	l.Mutex.Unlock(i)
	if l.calls++; l.calls%1000 == 0 {
		l.t.phase.Store(over)
	}
}

func TestAStuckLockIsAnError(t *testing.T) {
	t0, err := newTrial(get(t, "queue/ticket"), Workload{Procs: 2}, 0)
	require.NoError(t, err)
	t0.lock = stuck{t0.lock, t.Context()}
	t0.start(nil)
	require.NoError(t, t0.await(t.Context(), t0.gathered, "come"))
	t0.declare(warmingUp)
	require.NoError(t, t0.await(t.Context(), t0.started, "begun"))
	t0.patience = 20 * time.Millisecond // for a process that never comes out
	require.ErrorContains(t, t0.end(), "2 of 2 processes are still in their entry or exit section: the lock is stuck")
}

// stuck lets nobody in before the test is over.
type stuck struct {
	shm.Mutex
	ctx context.Context
}

func (l stuck) Lock(i int) {
	<-l.ctx.Done()
	l.Mutex.Lock(i)
}
