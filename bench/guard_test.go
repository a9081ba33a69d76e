package bench

import (
	"context"
	"errors"
	"regexp"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/baseline"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// hanging lets some passages through and then none before it is released. Process 0
// is the first to hang, in the way of hang, with the lock.
type hanging struct {
	shm.Mutex
	passages atomic.Int64 // left
	released atomic.Bool
	hang     func(released func() bool)
}

func (l *hanging) Lock(i int) {
	l.Mutex.Lock(i)
	if l.passages.Add(-1) < 0 {
		l.hang(l.released.Load)
	}
}

func spinning(released func() bool) {
	for !released() {
	}
}

func waiting(released func() bool) { spin.Until(released) }

// hangingSpec is of a lock that hangs after some passages until the test ends.
func hangingSpec(t *testing.T, passages int64, hang func(func() bool)) shm.Algorithm {
	fifo := get(t, "queue/ticket")
	return shm.Algorithm{Name: "test/hanging", MinProcs: 1, MaxProcs: 4, New: func(n int) (shm.Mutex, error) {
		beneath, err := fifo.New(n)
		l := &hanging{Mutex: beneath, hang: hang}
		l.passages.Store(passages)
		t.Cleanup(func() {
			l.released.Store(true)
			require.Eventually(t, func() bool { return undisturbed() == nil }, deadline.Half(t), time.Millisecond, "the processes end")
		})
		return l, err
	}}
}

// hurried makes the guard impatient for a test.
func hurried(t *testing.T, d time.Duration) {
	was := patience
	patience = d
	t.Cleanup(func() { patience = was })
}

// A lock that hangs ends the measurement in every window, with a message that names
// the lock and says where each process is.
func TestALockThatHangsIsAnError(t *testing.T) {
	sample.NeedsAll(t)
	long := func(time.Duration) time.Duration { return time.Hour }
	for _, c := range []struct {
		name     string
		passages int64
		o        Options
		win      window
	}{
		{"warming up", 0, Options{}, window{warmUp: time.Hour}},
		{"until the quota is reached", 200_000, Options{}, window{quota: 1 << 40}},
		{"until the window is long enough", 200_000, Options{}, window{quota: 1, least: time.Hour}},
		{"in a window of time", 200_000, Options{Duration: time.Hour}, window{}},
		{"in a detailed window", 200_000, Options{}, window{quota: 1, detail: long}},
		{"when the processes are to end", 0, Options{Duration: time.Millisecond}, window{detail: func(time.Duration) time.Duration { return 0 }}},
	} {
		t.Run(c.name, func(t *testing.T) {
			hurried(t, 400*time.Millisecond)
			_, err := measure(t.Context(), hangingSpec(t, c.passages, spinning), Workload{Procs: 2}, c.o, c.win)
			var stuck *StuckError
			require.ErrorAs(t, err, &stuck)
			require.ErrorContains(t, err, "test/hanging: the lock hangs: no process made a passage for 400ms\n")
			require.Regexp(t, regexp.MustCompile(`process [01]: \[run\w+\] at guard_test\.go:\d+ (spinning|\(\*hanging\)\.Lock)`), err.Error())
			require.Regexp(t, regexp.MustCompile(`process [01]: \[run\w+\] at ticket\.go:\d+ \(\*TicketMutex\)\.Lock`), err.Error())
			_, err = Measure(t.Context(), get(t, "tas/tas"), Workload{Procs: 1}, brief)
			require.ErrorContains(t, err, "take processor time (2 of them)")
		})
	}
	_, err := Measure(t.Context(), get(t, "tas/tas"), Workload{Procs: 1}, brief)
	require.NoError(t, err, "they are gone")
}

// Processes that all wait for one another need no time of the machine.
func TestAllWaitInALockThatHangs(t *testing.T) {
	sample.NeedsAll(t)
	_, err := measure(t.Context(), hangingSpec(t, 1000, waiting), Workload{Procs: 2}, Options{}, window{quota: 1 << 40})
	require.ErrorContains(t, err, "for 3s, and all processes in it wait\n")
}

// A process that works outside of the lock for longer than the patience, and one that
// waits for it, are no lock that hangs.
func TestLongWorkIsNoHang(t *testing.T) {
	sample.NeedsAll(t)
	hurried(t, 40*time.Millisecond)
	w := Workload{Procs: 2, CS: 150 * time.Millisecond}
	// On a busy machine the system may keep both processes from the processors in the lock.
	deadline.Try(t, 0.25, func() bool {
		s, err := measure(t.Context(), get(t, "queue/ticket"), w, Options{}, window{quota: 2, detail: func(time.Duration) time.Duration { return 0 }})
		if errors.As(err, new(*StuckError)) {
			require.Eventually(t, func() bool { return undisturbed() == nil }, deadline.Half(t), time.Millisecond, "the processes end")
			return false
		}
		require.NoError(t, err)
		require.Equal(t, uint64(2), s.Passages)
		return true
	})
}

// The passages of a lock that lets two in need not add up to any number.
func TestALockThatLetsTwoInEndsBeforeItsQuota(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	w := Workload{Procs: 2, CS: 20 * time.Microsecond}
	_, err := measure(t.Context(), baseline.Null, w, Options{}, window{quota: 1 << 60})
	require.ErrorAs(t, err, new(*BrokenError))
}

// What is canceled ends at once, also in a lock that hangs.
func TestACancelledMeasurementDoesNotWaitForTheLock(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hang := func(released func() bool) {
		cancel() // not earlier: a process that does not hang yet ends
		spinning(released)
	}
	_, err := measure(ctx, hangingSpec(t, 10, hang), Workload{Procs: 2}, Options{}, window{quota: 1 << 40})
	require.ErrorIs(t, err, context.Canceled)
	require.Error(t, undisturbed())
}

// exiting ends the goroutine of a process, as t.FailNow does, after some passages.
type exiting struct {
	shm.Mutex
	passages atomic.Int64 // left
}

func (l *exiting) Lock(i int) {
	l.Mutex.Lock(i)
	if l.passages.Add(-1) == 0 {
		l.Mutex.Unlock(i)
		runtime.Goexit()
	}
}

// A lock that ends the goroutine of a process is an error at once, in each window.
func TestALockThatEndsItsGoroutine(t *testing.T) {
	for _, passages := range []int64{1, 1000, 100_000} {
		a := shm.Algorithm{Name: "test/exiting", MinProcs: 1, MaxProcs: 4, New: func(n int) (shm.Mutex, error) {
			beneath, err := get(t, "queue/ticket").New(n)
			l := &exiting{Mutex: beneath}
			l.passages.Store(passages)
			return l, err
		}}
		for _, procs := range []int{1, 2} {
			_, err := measure(t.Context(), a, Workload{Procs: procs}, Options{}, window{quota: 1 << 40})
			require.ErrorAs(t, err, new(*ExitError))
			require.ErrorContains(t, err, "test/exiting: the lock ended the goroutine of process ")
			require.Eventually(t, func() bool { return undisturbed() == nil }, deadline.Half(t), time.Millisecond, "the processes end")
		}
	}
}
