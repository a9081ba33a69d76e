package bench

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/clock"
	"shmbench/internal/testkit/deadline"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// stepTrial is a trial of one process whose lock ends the phase that is on after
// n passages.
func stepTrial(t *testing.T, w Workload, phase uint32, n int) (*trial, *process) {
	t.Helper()
	w.Procs = 1
	tr, err := newTrial(get(t, "tas/tas"), w)
	require.NoError(t, err)
	tr.lock = &hooked{Mutex: tr.lock, after: func(calls int) {
		if calls == n {
			tr.declare(over)
		}
	}}
	tr.declare(phase)
	return tr, tr.procs[0]
}

// hooked calls after at the end of every Unlock, with their number.
type hooked struct {
	shm.Mutex
	calls int
	after func(calls int)
}

func (l *hooked) Unlock(i int) {
	l.Mutex.Unlock(i)
	l.calls++
	l.after(l.calls)
}

// Who passed a process by entered after it had called and before it was in.
func TestAWaitCountsWhoPassed(t *testing.T) {
	tr, p := stepTrial(t, Workload{}, timing, 0)
	tr.section.before, tr.section.after = 7, 7
	tr.section.begun.Store(3)
	p.observed(tr, timing, 0)
	require.Equal(t, uint64(4), p.waits.bypassed)
}

// All work is done in every window: the work's outcome shows how many steps it
// had. The passage that ends the loop is done too.
func TestEveryPassageDoesItsWork(t *testing.T) {
	const n = 10
	w := Workload{CS: 10 * time.Microsecond, NCS: 20 * time.Microsecond, Lines: 3}
	for phase := warmingUp; phase < over; phase++ {
		tr, p := stepTrial(t, w, phase, n)
		if phase < ordering {
			require.Equal(t, over, p.working(tr, phase))
		} else {
			require.Equal(t, over, p.detailed(tr, phase))
		}
		require.Equal(t, work((tr.cs+tr.ncs)*(n+1), 0), p.sink, "phase %d", phase)
		require.Equal(t, uint64(n), p.passages[phase])
		require.Equal(t, uint64(1), p.passages[over])
		require.Equal(t, uint64(n+1), tr.section.lines[2].value)
		require.True(t, tr.section.exclusive(n+1))
	}
}

// In an open loop too, except the remainder section, which is empty.
func TestAnOpenLoopDoesItsWork(t *testing.T) {
	tr, p := stepTrial(t, Workload{CS: 10 * time.Microsecond, Rate: 1e8}, timing, 10)
	p.began = clock.Now()
	p.open(tr)
	require.Equal(t, work(tr.cs*10, 0), p.sink)
	require.InDelta(t, 10-0.5, p.waits.latency.TotalCount(), 0.5, "the first one had begun before the window")
}

// A release says when it was only if it has been stamped; the time of an earlier
// one must not stand for it.
func TestAReleaseIsStampedAnewOrNotAtAll(t *testing.T) {
	tr, p := stepTrial(t, Workload{}, timing, 1000)
	stamped := 0
	for range 900 {
		before := clock.Now()
		p.observed(tr, timing, 0)
		if at := tr.section.releasedAt; at != 0 {
			require.GreaterOrEqual(t, at, before)
			stamped++
		}
	}
	require.InDelta(t, 900/stampEvery, stamped, 60)
}

// Each passage belongs to the phase that it sees, and the first one to see a
// phase marks its edge.
func TestAPhaseBeginsAtTheFirstPassageThatSeesIt(t *testing.T) {
	tr, p := stepTrial(t, Workload{}, warmingUp, 0)
	tr.lock = &hooked{Mutex: tr.lock, after: func(calls int) {
		switch calls {
		case 10:
			tr.declare(counting)
		case 40:
			tr.declare(ordering)
		case 100:
			tr.declare(timing)
		case 250:
			tr.declare(over)
		}
	}}
	tr.lock.Unlock(0) // the hook's first call
	p.run(tr)
	require.Equal(t, [phases]uint64{0, 9, 30, 60, 150, 1}, p.passages)
	var at []uint64
	for _, e := range tr.section.edges[counting:] {
		at = append(at, e.passage)
	}
	require.Equal(t, []uint64{9, 39, 99, 249}, at)
	require.Equal(t, 60, tr.section.logged)
	require.InDelta(t, 150-0.5, p.waits.latency.TotalCount(), 0.5, "the one that opened the window only if it waited in it")
	for phase := warmingUp; phase < over; phase++ {
		want := int32(1)
		if phase == warmingUp {
			want = 0 // nine passages are too few
		}
		require.Equal(t, want, tr.enough[phase].Load())
	}
}

// A process that waits all through the timing window has waited for all of it,
// and was passed by all who entered in it.
func TestAWaitThroughTheWholeWindowCounts(t *testing.T) {
	tr, p := stepTrial(t, Workload{}, warmingUp, 0)
	tr.section.edges[timing] = edge{at: 1, passage: 100}
	tr.section.edges[over] = edge{at: 1, passage: 160}
	tr.opened[timing] = clock.Now() - int64(time.Hour)
	tr.opened[over] = tr.opened[timing] + int64(time.Second)
	tr.phase.Store(over)
	require.Equal(t, over, tr.turn(p, ordering, 500))
	require.InEpsilon(t, int64(time.Second), p.waits.latency.Max(), 0.01)
	require.Equal(t, uint64(60), p.waits.bypassed)

	// One that is still under way when the window ends counts in part.
	p.waits = newWaits()
	tr.phase.Store(timing)
	require.Equal(t, timing, tr.turn(p, ordering, 130))
	require.Equal(t, uint64(30), p.waits.bypassed)
	require.Greater(t, p.waits.latency.Max(), int64(59*time.Minute)/36) // the histogram ends at 100 s
}

func TestTheSelfCheckHasThreeParts(t *testing.T) {
	good := section{before: 5, after: 5}
	require.True(t, good.exclusive(5))
	for _, bad := range []*section{{before: 6, after: 5}, {before: 5, after: 6}, {before: 5, after: 5, met: 1}} {
		require.False(t, bad.exclusive(5), "%d, %d, %d", bad.before, bad.after, bad.met)
	}
	require.False(t, good.exclusive(6))
}

// Whatever a policy keeps between waits is forgotten before each sample.
func TestEverySampleSettlesFirst(t *testing.T) {
	was, calls := settle, 0
	defer func() { settle = was }()
	settle = func() { calls++; was() }
	_, err := Measure(t.Context(), get(t, "tas/tas"), Workload{Procs: 1}, brief)
	require.NoError(t, err)
	require.Equal(t, 1, calls)
}

// A process that is stuck in another trial's lock, and waits in turns, has no
// turn to keep from the next trial's.
func TestSettlingForgetsWhoWaitedBefore(t *testing.T) {
	if raceDetector {
		t.Skip("nobody takes turns")
	}
	defer spin.Use(spin.InUse())
	spin.Use(spin.Turns)
	const many = 10_000 // polls, after which a wait is in the queue
	blocked, release := make(chan struct{}), make(chan struct{})
	for range max(1, min(runtime.GOMAXPROCS(0), runtime.NumCPU())-1) {
		go spin.Until(after(many, func() {
			blocked <- struct{}{}
			<-release
		}))
		<-blocked
	}
	settle()
	passed := make(chan struct{})
	go func() {
		spin.Until(after(many, func() {}))
		close(passed)
	}()
	select {
	case <-passed:
	case <-time.After(deadline.Half(t)):
		t.Error("a waiter of before has the turn")
	}
	close(release)
}

// after is a condition that does something at its n-th poll, and then holds.
func after(n int, do func()) spin.Cond {
	polls := 0
	return func() bool {
		if polls++; polls < n {
			return false
		}
		do()
		return true
	}
}

// A window goes on until every process has made enough passages, or for ten
// times as long.
func TestAWindowGrows(t *testing.T) {
	tr, err := newTrial(get(t, "tas/tas"), Workload{Procs: 2})
	require.NoError(t, err)
	g := newGuard(tr)
	defer g.stop()
	elapsed := func(d time.Duration) time.Duration {
		start := time.Now()
		require.NoError(t, tr.window(t.Context(), g, counting, d))
		return time.Since(start)
	}
	const d = 2 * time.Millisecond
	tr.enough[counting].Store(1)
	require.GreaterOrEqual(t, elapsed(d), patienceOf*d, "one has not made enough")
	tr.enough[counting].Store(2)
	deadline.Try(t, 0.1, func() bool { return elapsed(20*time.Millisecond) < patienceOf*20*time.Millisecond })

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, tr.window(ctx, g, counting, time.Hour), context.Canceled)
}
