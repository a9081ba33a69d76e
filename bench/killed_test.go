package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/clock"
	"shmbench/internal/run/supervise"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/queue"
	"shmbench/locks/recoverable"
	"shmbench/shm"
	"shmbench/shm/region/regiontest"
	"shmbench/shm/spin"
)

// freeing is a lock whose Recover frees it, whichever process has it, and then sleeps, since
// on a busy machine no other process runs in the moment before the next access.
type freeing struct{ recoverable.RTASMutex }

func (l *freeing) Recover(i int) shm.Outcome {
	if l.RTASMutex.Recover(i) == shm.Inside {
		l.Unlock(i)
		time.Sleep(2 * time.Millisecond)
	}
	return shm.Enter
}

// forgetful is a lock in which a process that crashed in its critical section waits for itself.
type forgetful struct{ recoverable.RTASMutex }

func (l *forgetful) Recover(i int) shm.Outcome {
	if l.RTASMutex.Recover(i) == shm.Inside {
		spin.Until(func() bool { return false })
	}
	return shm.Enter
}

// slow is a lock whose Recover takes ten milliseconds.
type slow struct{ recoverable.RTASMutex }

func (l *slow) Recover(i int) shm.Outcome {
	time.Sleep(10 * time.Millisecond)
	return l.RTASMutex.Recover(i)
}

// TestKilled: a sample of a lock whose processes are killed has the times of recovery. A
// lock whose Recover lets another process in, one that hangs, and one that does not recover
// are errors.
func TestKilled(t *testing.T) {
	sample.NeedsAll(t)
	regiontest.Need(t)
	w, second := Workload{Procs: 2, CS: 2 * time.Microsecond, Kills: 20}, Options{Duration: time.Second}
	measure := func(a shm.Algorithm) (Sample, error) {
		return Measure(t.Context(), BetweenProcesses(a), w, second)
	}
	of := func(name string, lock shm.Mutex) shm.Algorithm {
		return shm.Algorithm{Name: name, MinProcs: 1, MaxProcs: 4, New: func(int) (shm.Mutex, error) { return lock, nil }}
	}
	s := figured(t, BetweenProcesses(recoverable.RTAS()), w, second, nsPerOp, rate, killCount, restartP50, recoverP50, recoverMax)
	_, timed := s.Get(p50)
	require.False(t, timed)
	kills, _ := s.Get(killCount)
	require.GreaterOrEqual(t, kills, 1.0)
	s = figured(t, BetweenProcesses(of("test/slow", new(slow))), w, second, recoverP50)
	took, _ := s.Get(recoverP50)
	require.GreaterOrEqual(t, took, 1e7)
	broken(t, BetweenProcesses(of("test/freeing", new(freeing))), w, second)
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = 2 * time.Second
	deadline.Try(t, 0.1, func() bool { // a kill in the critical section, after which the process waits for itself
		_, err := measure(of("test/forgetful", new(forgetful)))
		return errors.As(err, new(*StuckError))
	})
	_, err := measure(queue.MCS(shm.Padded, shm.Sequential))
	require.ErrorContains(t, err, "queue/mcs-processes has no Recover")
	_, err = Measure(t.Context(), recoverable.RTAS(), Workload{Procs: 2, Kills: 1}, Options{})
	require.ErrorContains(t, err, "measure it between processes")
	_, err = Measure(t.Context(), BetweenProcesses(recoverable.RTAS()), Workload{Procs: 2, Kills: 1}, Options{Pin: PinCores})
	require.ErrorContains(t, err, "measure them without pinning")
}

// TestKilledShortly: a window of 20 ms, which the kills extend, has the figures of kills too.
func TestKilledShortly(t *testing.T) {
	regiontest.Need(t)
	w := Workload{Procs: 2, Lines: 1, Kills: 500}
	began := clock.Now()
	s := figured(t, BetweenProcesses(recoverable.RTAS()), w, Options{Duration: 20 * time.Millisecond}, nsPerOp, rate, killCount, restartP50, recoverP50, recoverMax)
	took := float64(clock.Now() - began)
	require.Equal(t, "recoverable/rtas-processes", s.Algorithm)
	require.Equal(t, w, s.Workload)
	ns, _ := s.Get(nsPerOp)
	window := ns * float64(s.Passages)
	require.GreaterOrEqual(t, window, 1.99e7)
	require.LessOrEqual(t, window, took)
}

// TestRecoveringRefuses: the locks, workloads and options that a sample with kills cannot have.
func TestRecoveringRefuses(t *testing.T) {
	rtas := BetweenProcesses(recoverable.RTAS())
	single := rtas
	single.MaxProcs = 1
	for name, c := range map[string]struct {
		lock     shm.Algorithm
		workload Workload
		options  Options
		says     string
	}{
		"negative":           {rtas, Workload{Procs: 2, Kills: -1}, Options{}, "kills"},
		"between goroutines": {recoverable.RTAS(), Workload{Procs: 2, Kills: 1}, Options{}, "measure it between processes"},
		"pinned":             {rtas, Workload{Procs: 2, Kills: 1}, Options{Pin: PinCores}, "measure them without pinning"},
		"no Recover":         {BetweenProcesses(queue.MCS(shm.Padded, shm.Sequential)), Workload{Procs: 2, Kills: 1}, Options{}, "queue/mcs-processes has no Recover"},
		"too many":           {single, Workload{Procs: 2, Kills: 1}, Options{}, "recoverable/rtas-processes: cannot be built for n = 2"},
	} {
		_, err := measureKilled(t.Context(), c.lock, c.workload, c.options)
		require.ErrorContains(t, err, c.says, name)
	}
	lock, err := recovering(rtas, 2)
	require.NoError(t, err)
	require.IsType(t, new(recoverable.RTASMutex), lock)
}

// scripted is a lock whose Recover has set outcomes, one a call. It notes all calls, and ends
// the sample after a set number of passages.
type scripted struct {
	outcomes []shm.Outcome
	passages int // that are left before the sample ends
	sample   *killable
	calls    []string
}

func (l *scripted) Recover(int) (o shm.Outcome) {
	l.calls = append(l.calls, "recover")
	o, l.outcomes = l.outcomes[0], l.outcomes[1:]
	return o
}

func (l *scripted) Lock(int) { l.calls = append(l.calls, "lock") }

func (l *scripted) Unlock(int) {
	l.calls = append(l.calls, "unlock")
	l.passages--
	l.sample.over.Store(l.passages == 0)
}

// TestALifeOfAProcess: a life calls Recover until the process is in its critical section, and
// then makes passages until the sample is over.
func TestALifeOfAProcess(t *testing.T) {
	for _, c := range []struct {
		outcomes []shm.Outcome
		passages int
		calls    []string
	}{
		{[]shm.Outcome{shm.Enter}, 1, []string{"recover", "lock", "unlock"}},
		{[]shm.Outcome{shm.Inside}, 1, []string{"recover", "unlock"}},
		{[]shm.Outcome{shm.Finished, shm.Enter}, 2, []string{"recover", "recover", "lock", "unlock", "lock", "unlock"}},
		{[]shm.Outcome{shm.Finished, shm.Finished, shm.Inside}, 3, []string{"recover", "recover", "recover", "unlock", "lock", "unlock", "lock", "unlock"}},
	} {
		lock := &scripted{outcomes: c.outcomes, passages: c.passages}
		s := &killable{lock: lock, cs: 1, ncs: 1, lines: make([]line, 2), processes: make([]life, 2)}
		lock.sample = s
		s.processes[0].entered.Store(40)
		s.processes[1].entered.Store(50)
		before := clock.Now()
		s.live(1, 7)
		require.Equal(t, c.calls, lock.calls)
		require.EqualValues(t, 40, s.processes[0].entered.Load())
		require.EqualValues(t, 50+c.passages, s.processes[1].entered.Load())
		require.EqualValues(t, 90+c.passages, s.passages())
		for _, l := range s.lines {
			require.EqualValues(t, c.passages, l.value)
		}
		recovers, recovered := s.processes[1].recovers.Load(), s.processes[1].recovered.Load()
		require.LessOrEqual(t, before, recovers)
		require.LessOrEqual(t, recovers, recovered)
		require.LessOrEqual(t, recovered, clock.Now())
		require.Zero(t, s.processes[0].recovered.Load())
		require.Zero(t, s.met.Load())
	}
}

// TestTheCriticalSectionOfAKilledProcess: a process may find no process or its own number from
// an earlier life. Another number is counted. Work draws on the random number.
func TestTheCriticalSectionOfAKilledProcess(t *testing.T) {
	for holder, met := range map[int64]uint64{0: 0, 1: 1, 2: 0, 3: 1} {
		s := &killable{processes: make([]life, 3)}
		s.holder.Store(holder)
		require.EqualValues(t, 9, s.section(1, 9), "no work")
		require.Equal(t, met, s.met.Load(), "holder %d", holder)
		require.Zero(t, s.holder.Load())
		s.cs = 3
		require.Equal(t, work(3, 9), s.section(1, 9))
		require.Equal(t, met, s.met.Load(), "holder %d", holder)
	}
}

// killedSample is a sample of n processes. None of them runs.
func killedSample(t *testing.T, n int) *killSample {
	s := &killSample{killable: &killable{processes: make([]life, n)}, workload: Workload{Procs: n, Kills: 2}, killed: make([]int64, n), random: rand.New(rand.NewPCG(1, 2))}
	s.crew = supervise.New[uint64](t.Context(), nil, killedService, n, s.died)
	t.Cleanup(s.crew.Stop)
	return s
}

// TestNote: the times of a recovery are taken once, when the process has entered after its kill.
func TestNote(t *testing.T) {
	s := killedSample(t, 2)
	s.killed = []int64{0, 100}
	s.processes[0].recovers.Store(10)
	s.processes[0].recovered.Store(20)
	s.processes[1].recovers.Store(80)
	for _, entered := range []int64{0, 90, 100} {
		s.processes[1].recovered.Store(entered)
		s.note(0)
		s.note(1)
		require.Empty(t, s.restarts, "process 0 was not killed, and process 1 has not recovered since")
		require.False(t, s.allRecovered())
	}
	s.processes[1].recovers.Store(107)
	s.processes[1].recovered.Store(130)
	require.True(t, s.allRecovered())
	s.note(1)
	require.Equal(t, []int64{7}, s.restarts)
	require.Equal(t, []int64{23}, s.recovery)
	require.Equal(t, []int64{0, 0}, s.killed)
	s.processes[0].recovered.Store(0)
	require.False(t, s.allRecovered(), "process 0 has not entered in this life")
}

// TestFiguresOfKills: the figures of a sample are those of the times that were noted.
func TestFiguresOfKills(t *testing.T) {
	a := shm.Algorithm{Name: "test/lock"}
	s := killedSample(t, 2)
	_, err := s.sample(a, 0, 1000, 0)
	require.ErrorIs(t, err, ErrIdle)
	got, err := s.sample(a, 0, 1000, 4)
	require.NoError(t, err)
	require.Equal(t, Sample{Algorithm: "test/lock", Workload: s.workload, Passages: 4, Values: []Value{{250, nsPerOp}, {4e6, rate}, {0, killCount}}}, got)
	s.restarts, s.recovery = []int64{30, 10, 20}, []int64{7, 9, 8}
	got, err = s.sample(a, 3, 1000, 4)
	require.NoError(t, err)
	require.Equal(t, []Value{{250, nsPerOp}, {4e6, rate}, {3, killCount}, {20, restartP50}, {8, recoverP50}, {9, recoverMax}}, got.Values)
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		sorted []int64
		q      float64
		want   int64
	}{
		{[]int64{5}, 0.5, 5}, {[]int64{5, 6}, 0.4, 5}, {[]int64{5, 6}, 0.5, 6}, {[]int64{5, 6, 7}, 0, 5},
		{[]int64{5, 6, 7}, 0.5, 6}, {[]int64{5, 6, 7}, 0.74, 6}, {[]int64{5, 6, 7}, 0.75, 7}, {[]int64{5, 6, 7}, 1, 7},
	} {
		require.Equal(t, c.want, quantile(c.sorted, c.q), "%+v", c)
	}
}

// TestTheEndOfTheWindow: a window lasts for its length and for twenty kills. At ten times its
// length it ends with fewer kills, too.
func TestTheEndOfTheWindow(t *testing.T) {
	s := killedSample(t, 1)
	for _, c := range []struct {
		hours, kills int
		is           bool
	}{{0, 0, false}, {0, 20, false}, {1, 19, false}, {1, 20, true}, {1, 21, true}, {9, 0, false}, {10, 0, true}, {10, 20, true}} {
		ago := time.Duration(c.hours)*time.Hour + time.Minute
		require.Equal(t, c.is, s.closed(clock.Now()-int64(ago), time.Hour, c.kills), "%+v", c)
	}
	kills, err := s.kill(t.Context(), -time.Second)
	require.NoError(t, err)
	require.Zero(t, kills)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.kill(canceled, time.Hour)
	require.ErrorIs(t, err, context.Canceled)
}

// TestGap: with 2 kills a second, half a second passes between two kills on average.
func TestGap(t *testing.T) {
	s, sum, least := killedSample(t, 1), int64(0), int64(1e9)
	for range 10_000 {
		gap := s.gap()
		sum, least = sum+gap, min(least, gap)
	}
	require.InEpsilon(t, 5e8, float64(sum)/10_000, 0.03)
	require.Less(t, least, int64(1e6))
}

// TestNoProcessToKill: no process is killed that does not run.
func TestNoProcessToKill(t *testing.T) {
	s := killedSample(t, 2)
	s.processes[0].recovered.Store(5)
	require.False(t, s.killOne())
	require.Equal(t, []int64{0, 0}, s.killed)
	require.True(t, s.allEnded())
}

// TestDied: an error of a process that was not killed ends the sample, unless the sample is
// ending anyway.
func TestDied(t *testing.T) {
	crash := errors.New("crash")
	for _, c := range []struct {
		err            error
		killed, ending bool
		want           error
	}{{nil, false, false, nil}, {crash, false, false, crash}, {crash, true, false, nil}, {crash, false, true, nil}, {crash, true, true, nil}} {
		s := killedSample(t, 2)
		s.ending = c.ending
		s.died(s.crew, supervise.End[struct{}]{Number: 1, Err: c.err, Killed: c.killed})
		require.Equal(t, c.want, s.crashed, "%+v", c)
		require.False(t, s.crew.Runs(1))
		err := s.until(t.Context(), func() bool { return s.crashed == nil })
		require.Equal(t, c.want, err)
	}
}

// TestUntil: until ends with the condition, with ctx, or when no process makes a passage.
func TestUntil(t *testing.T) {
	s := killedSample(t, 2)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, s.until(canceled, func() bool { return true }))
	require.ErrorIs(t, s.until(canceled, func() bool { return false }), context.Canceled)
	asked := 0
	require.NoError(t, s.until(t.Context(), func() bool { asked++; return asked == 3 }))
	require.Equal(t, 3, asked)
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = 10 * time.Millisecond
	var stuck *StuckError
	require.ErrorAs(t, s.until(t.Context(), func() bool { return false }), &stuck)
	require.GreaterOrEqual(t, stuck.For, patience)
}
