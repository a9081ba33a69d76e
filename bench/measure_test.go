package bench

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/baseline"
	"shmbench/shm"
)

var brief = Options{Duration: 10 * time.Millisecond}

func get(t *testing.T, name string) shm.Algorithm {
	t.Helper()
	a, err := catalog.Get(name)
	require.NoError(t, err)
	return a
}

// figured takes samples until one has all the figures of the units, above 0. On a busy machine a
// window may end without a passage: none of 100 did at load 9 beside two busy loops.
func figured(t *testing.T, a shm.Algorithm, w Workload, o Options, units ...string) (s Sample) {
	t.Helper()
	deadline.Try(t, 0.1, func() bool {
		var err error
		s, err = Measure(t.Context(), a, w, o)
		if errors.Is(err, ErrIdle) {
			return false
		}
		require.NoError(t, err, a.Name)
		missing := ""
		for _, unit := range units {
			if v, _ := s.Get(unit); v <= 0 {
				missing += " " + unit
			}
		}
		if missing != "" {
			t.Logf("%s, %+v: no figure above 0 in%s", a.Name, w, missing)
		}
		return missing == ""
	})
	return s
}

// broken takes samples until one is an error of a lock that does not exclude. At load 9
// beside two busy loops, all of 70 showed it.
func broken(t *testing.T, a shm.Algorithm, w Workload, o Options) (found *BrokenError) {
	t.Helper()
	deadline.Try(t, 0.1, func() bool {
		_, err := Measure(t.Context(), a, w, o)
		if !errors.As(err, &found) && !errors.Is(err, ErrIdle) {
			require.NoError(t, err)
		}
		return found != nil
	})
	return found
}

func TestEveryAlgorithmIsMeasured(t *testing.T) {
	sample.NeedsAll(t)
	for _, a := range catalog.All() {
		if a.VariantOf != "" {
			continue // it is measured as the lock is that it is a variant of
		}
		n := min(1+len(a.Name)%3, a.MaxProcs) // a new lock does not change that of another
		s := figured(t, a, Workload{Procs: n}, Options{Duration: 2 * time.Millisecond}, nsPerOp, rate, jainRun, overlap)
		require.Equal(t, a.Name, s.Algorithm)
		require.Positive(t, s.Passages)
	}
}

// The critical section must see a lock that does not exclude. On one processor
// the processes meet only where one is preempted inside, so the critical
// section is long.
func TestABrokenLockIsAnError(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	err := broken(t, baseline.Null, Workload{Procs: 4, CS: 20 * time.Microsecond}, Options{Duration: 100 * time.Millisecond})
	require.ErrorContains(t, err, "mutual exclusion is violated: 4 processes made")
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

// The window is as long as it is to be, also where the quota is reached before.
func TestTheQuotaIsNotTheWholeOfALongerWindow(t *testing.T) {
	win := window{quota: 1, least: 5 * time.Millisecond, detail: func(time.Duration) time.Duration { return 0 }}
	for _, n := range []int{1, 2, 4} {
		s, err := measure(t.Context(), get(t, "queue/ticket"), Workload{Procs: n}, Options{}, win)
		require.NoError(t, err)
		ns, _ := s.Get(nsPerOp)
		require.GreaterOrEqual(t, ns*float64(s.Passages), 5e6)
	}
}

// A lock that lets two in may count past the passage that the quota is up to before
// anybody looks for it.
func TestTheQuotaIsReachedFromBehind(t *testing.T) {
	tr, p := stepTrial(t, Workload{}, counting, 0)
	tr.quota = 1
	tr.section.edges[warmingUp].at, tr.section.edges[counting].at = 1, 1
	tr.section.before, tr.section.after, tr.section.last = 10, 10, 5
	require.Equal(t, ordering, p.observed(tr, counting, 0))
	<-tr.filled
	tr.fill() // and two may find that it is reached
}

// What a lock allocates is counted at the edges of the window.
func TestAllocationsAreThoseOfTheWindow(t *testing.T) {
	u := heapUse{opened: heap{bytes: 1000, objects: 50}, closed: heap{bytes: 1000 + 64*100 + 30, objects: 50 + 3*100 - 1}}
	s := Sample{Passages: 100, Workload: Workload{Procs: 2}}
	require.Equal(t, []Value{{64, bytesPerOp}, {3, allocsPerOp}}, u.values(&s))
}

func TestMeasureRefuses(t *testing.T) {
	a := get(t, "peterson/peterson")
	_, err := Measure(t.Context(), a, Workload{Procs: 3}, brief)
	var procs *shm.ProcsError
	require.ErrorAs(t, err, &procs)
	a.New = get(t, "tas/tas").New // which would build it
	_, err = Measure(t.Context(), a, Workload{Procs: 3}, brief)
	require.ErrorAs(t, err, &procs)
	a.New = func(int) (shm.Mutex, error) { return nil, nil }
	_, err = Measure(t.Context(), a, Workload{Procs: 2}, brief)
	require.EqualError(t, err, "peterson/peterson: New(2) returned neither a lock nor an error")
	a.New = nil
	_, err = Measure(t.Context(), a, Workload{Procs: 2}, brief)
	require.EqualError(t, err, `the specification of "peterson/peterson" has no New`)
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
	t0, err := newTrial(get(t, "queue/clh"), Workload{Procs: 1})
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
