package bench

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/region/regiontest"
	"shmbench/shm/spin"
)

func TestMain(m *testing.M) {
	ServeProcesses(context.Background())
	os.Exit(m.Run())
}

// TestBetweenProcesses: a sample between processes of the operating system has the figures
// of one between goroutines, except those of the processors. The waiting policy is as before.
func TestBetweenProcesses(t *testing.T) {
	sample.NeedsAll(t)
	regiontest.Need(t)
	lock := BetweenProcesses(queue.MCS(shm.Packed, shm.Sequential))
	require.Equal(t, "queue/mcs", lock.VariantOf)
	plain, apart := Between(lock.Name)
	require.True(t, apart)
	measure := func(a shm.Algorithm, w Workload) (s Sample) {
		deadline.Try(t, 0.1, func() bool { // a busy machine makes few passages
			s = figured(t, a, w, brief)
			_, few := s.Get(leastPassages)
			return !few
		})
		return s
	}
	for _, w := range []Workload{{Procs: 1}, {Procs: 3, CS: 100, Lines: 2}, {Procs: 2, Readers: 0.5}, {Procs: 2, Rate: 1e5}, {Procs: 2, Execute: true}, {Procs: 2, Touch: true}} {
		s, threads := measure(lock, w), measure(queue.MCS(shm.Packed, shm.Sequential), w)
		require.Equal(t, plain, threads.Algorithm)
		for _, v := range threads.Values {
			_, has := s.Get(v.Unit)
			switch v.Unit {
			case cpuPerOp:
				require.False(t, has)
			case handoffP50, handoffP99, leastPassages, reacquire: // if there were such passages
			default:
				require.True(t, has, "%v: %s", w, v.Unit)
			}
		}
		require.Equal(t, spin.PauseYield, spin.InUse())
	}
}

// apartFrom is a lock that fails in a way.
type apartFrom struct{ how int }

const (
	letIn = iota
	hang
	crash
)

func (l *apartFrom) Lock(i int) {
	switch {
	case l.how == hang:
		spin.Until(func() bool { return false })
	case l.how == crash && i > 0:
		panic("the lock is broken")
	}
}

func (l *apartFrom) Unlock(int) {}

// TestBetweenProcessesFails: a lock that lets processes in, one that hangs, and one that
// crashes are errors between processes too. What cannot be shared is a *region.Refusal.
func TestBetweenProcessesFails(t *testing.T) {
	regiontest.Need(t)
	measure := func(how int, procs int) error {
		a := BetweenProcesses(shm.Algorithm{Name: "test/apart", MinProcs: 1, MaxProcs: 4, New: func(int) (shm.Mutex, error) { return &apartFrom{how}, nil }})
		_, err := Measure(t.Context(), a, Workload{Procs: procs, CS: 1000}, Options{Duration: 20 * time.Millisecond})
		return err
	}
	defer func(usual time.Duration) { patience = usual }(patience)
	require.ErrorAs(t, measure(letIn, 3), new(*BrokenError))
	require.ErrorContains(t, measure(crash, 2), "panic: the lock is broken")
	patience = 400 * time.Millisecond
	err := measure(hang, 1)
	require.ErrorAs(t, err, new(*StuckError))
	require.ErrorContains(t, err, "process 0: has made 0 passages")
	require.NoError(t, undisturbed(), "the processes have been killed")

	refused := BetweenProcesses(shm.Algorithm{Name: "test/refused", MinProcs: 1, MaxProcs: 4, New: func(int) (shm.Mutex, error) { return sleeping{make(chan int)}, nil }})
	_, err = Measure(t.Context(), refused, Workload{Procs: 1}, Options{})
	require.ErrorAs(t, err, new(*region.Refusal))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Measure(canceled, BetweenProcesses(queue.MCS(shm.Packed, shm.Sequential)), Workload{Procs: 1}, Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// sleeping is a lock that cannot be shared.
type sleeping struct{ c chan int }

func (sleeping) Lock(int)   {}
func (sleeping) Unlock(int) {}

// TestProcessPolicy: processes of the operating system yield to the system where goroutines
// yield to the Go scheduler, and otherwise wait as goroutines do.
func TestProcessPolicy(t *testing.T) {
	require.Equal(t, spin.OSYield, ProcessPolicy(spin.PauseYield))
	for p := spin.PauseYield + 1; p <= spin.OSYield; p++ {
		require.Equal(t, p, ProcessPolicy(p))
	}
}

// TestBetweenProcessesShortly: a short sample between processes has a time, a rate and a
// latency, and leaves the waiting policy as it was.
func TestBetweenProcessesShortly(t *testing.T) {
	regiontest.Need(t)
	lock := BetweenProcesses(queue.MCS(shm.Packed, shm.Sequential))
	w := Workload{Procs: 2, Lines: 1}
	s := figured(t, lock, w, brief, nsPerOp, rate, p50)
	require.Equal(t, "queue/mcs-processes", s.Algorithm)
	require.Equal(t, w, s.Workload)
	require.NotZero(t, s.Passages)
	_, has := s.Get(cpuPerOp)
	require.False(t, has, "it would be that of this program")
	require.Equal(t, spin.PauseYield, spin.InUse())
}
