package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"shmbench/internal/machine/clock"
	"shmbench/internal/run/supervise"
	"shmbench/internal/run/watchdog"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// fewKills is how many kills a sample should have. The window goes on for them, for ten times
// its length at most.
const fewKills = 20

// killSample is a sample of a lock whose processes are killed.
type killSample struct {
	*killable
	workload Workload
	crew     *supervise.Supervisor[uint64, struct{}]

	mu       sync.Mutex
	random   *rand.Rand
	killed   []int64 // when each process was killed, or 0 if it has recovered
	ending   bool    // no process is killed any more
	restarts []int64 // time from a kill to the call of Recover
	recovery []int64 // time from that call to the critical section
	crashed  error   // of a process that ended by itself
}

// measureKilled takes a sample with Workload.Kills. The processes are those of the operating
// system. The supervisor kills one of them at random, at exponentially distributed intervals,
// and starts it again at once; a process is not killed again before it has recovered.
func measureKilled(ctx context.Context, a shm.Algorithm, w Workload, o Options) (Sample, error) {
	if err := w.Validate(); err != nil {
		return Sample{}, err
	}
	if o.Pin != NotPinned {
		return Sample{}, errors.New("processes that are killed are not pinned: measure them without pinning")
	}
	if err := undisturbed(); err != nil {
		return Sample{}, err
	}
	lock, err := recovering(a, w.Procs)
	if err != nil {
		return Sample{}, err
	}
	shared := &killable{lock: lock, cs: steps(w.CS), ncs: steps(w.NCS), lines: make([]line, w.Lines), processes: make([]life, w.Procs)}
	size, err := region.Size(shared)
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	memory, err := region.New("", size)
	if err != nil {
		return Sample{}, err
	}
	defer memory.Close()
	if shared, err = region.Put(memory, shared); err != nil {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	policy := spin.InUse()
	memory.Wait(ProcessPolicy(policy), w.Procs)
	defer spin.Use(policy)
	s := &killSample{killable: shared, workload: w, killed: make([]int64, w.Procs), random: rand.New(rand.NewPCG(rand.Uint64(), 0))}
	s.crew = supervise.New(ctx, memory, killedService, w.Procs, s.died)
	defer s.crew.Stop()
	sample, err := s.take(ctx, a, o.Duration)
	if err != nil {
		err = fmt.Errorf("%s: %w", a.Name, err)
	}
	return sample, err
}

// recovering builds a lock that recovers.
func recovering(a shm.Algorithm, n int) (shm.Recoverable, error) {
	if _, apart := Between(a.Name); !apart {
		return nil, fmt.Errorf("%s: kills are of processes of the operating system: measure it between processes", a.Name)
	}
	if err := shm.CheckProcs(a.Name, n, a.MinProcs, a.MaxProcs); err != nil {
		return nil, err
	}
	m, err := a.New(n)
	if err != nil {
		return nil, err
	}
	lock, ok := m.(shm.Recoverable)
	if !ok {
		return nil, fmt.Errorf("%s has no Recover: processes of a recoverable lock can be killed", a.Name)
	}
	return lock, nil
}

// take starts the processes, kills them in the window, and lets all recover at its end.
func (s *killSample) take(ctx context.Context, a shm.Algorithm, d time.Duration) (Sample, error) {
	for i := range s.processes {
		if err := s.crew.Start(i, s.random.Uint64()); err != nil {
			return Sample{}, err
		}
	}
	if err := s.until(ctx, s.allRecovered); err != nil {
		return Sample{}, err
	}
	opened, before := clock.Now(), s.passages()
	kills, err := s.kill(ctx, d)
	closed, after := clock.Now(), s.passages()
	if err == nil {
		err = s.until(ctx, s.allRecovered)
	}
	if err != nil {
		return Sample{}, err
	}
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()
	s.over.Store(true)
	if err := s.until(ctx, s.allEnded); err != nil {
		return Sample{}, err
	}
	if met := s.met.Load(); met > 0 {
		return Sample{}, &BrokenError{Procs: s.workload.Procs, Passages: s.passages(), Counted: s.passages(), Met: met}
	}
	return s.sample(a, kills, closed-opened, after-before)
}

// sample is the sample of what was noted.
func (s *killSample) sample(a shm.Algorithm, kills int, window int64, passages uint64) (Sample, error) {
	sample := Sample{Algorithm: a.Name, Workload: s.workload, Passages: passages}
	if passages == 0 {
		return sample, ErrIdle
	}
	ns := float64(window) / float64(passages)
	sample.put(nsPerOp, ns)
	sample.put(rate, 1e9/ns)
	sample.put(killCount, float64(kills))
	if len(s.restarts) > 0 {
		slices.Sort(s.restarts)
		slices.Sort(s.recovery)
		sample.put(restartP50, float64(quantile(s.restarts, 0.5)))
		sample.put(recoverP50, float64(quantile(s.recovery, 0.5)))
		sample.put(recoverMax, float64(s.recovery[len(s.recovery)-1]))
	}
	return sample, nil
}

// quantile returns the element of a sorted slice below which the part q of it lies.
func quantile(sorted []int64, q float64) int64 { return sorted[int(q*float64(len(sorted)-1)+0.5)] }

// kill kills processes until the window is over, and returns how many.
func (s *killSample) kill(ctx context.Context, d time.Duration) (kills int, err error) {
	began := clock.Now()
	next := began
	for {
		next += s.gap()
		err := s.until(ctx, func() bool { return clock.Now() >= next || s.closed(began, d, kills) })
		if err != nil || s.closed(began, d, kills) {
			return kills, err
		}
		if s.killOne() {
			kills++
		}
	}
}

// gap draws the time from one kill to the next, in ns.
func (s *killSample) gap() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(s.random.ExpFloat64() / s.workload.Kills * 1e9)
}

// closed reports whether the window that began at a time is over.
func (s *killSample) closed(began int64, d time.Duration, kills int) bool {
	passed := time.Duration(clock.Now() - began)
	return passed >= d && (kills >= fewKills || passed >= patienceOf*d)
}

// killOne kills a process that has recovered, if there is one.
func (s *killSample) killOne() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.random.Perm(len(s.processes)) {
		p := &s.processes[i]
		if s.note(i); s.killed[i] != 0 || p.recovered.Load() == 0 || !s.crew.Runs(i) {
			continue
		}
		s.killed[i] = clock.Now()
		return s.crew.Kill(i) == nil
	}
	return false
}

// note takes the times of process i, if it has recovered since it was killed.
func (s *killSample) note(i int) {
	p := &s.processes[i]
	if entered := p.recovered.Load(); s.killed[i] != 0 && entered > s.killed[i] {
		s.restarts = append(s.restarts, p.recovers.Load()-s.killed[i])
		s.recovery = append(s.recovery, entered-p.recovers.Load())
		s.killed[i] = 0
	}
}

// allRecovered reports whether each process has entered its critical section in this life.
func (s *killSample) allRecovered() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.processes {
		if s.note(i); s.killed[i] != 0 || s.processes[i].recovered.Load() == 0 {
			return false
		}
	}
	return true
}

// died starts a process again that was killed.
func (s *killSample) died(crew *supervise.Supervisor[uint64, struct{}], e supervise.End[struct{}]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.Err == nil || s.ending:
	case !e.Killed:
		s.crashed = e.Err
	case s.killed[e.Number] != 0:
		crew.Start(e.Number, s.random.Uint64()) // an error: the supervisor ends
	}
}

// until waits for a condition. It returns the error of ctx or of a process, or a *StuckError
// if no process makes a passage for too long.
func (s *killSample) until(ctx context.Context, done func() bool) error {
	moves := func(int) (uint64, watchdog.Place) { return s.passages(), watchdog.Inside }
	dog := watchdog.New(1, patience, moves)
	last := time.Now()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		s.mu.Lock()
		crashed := s.crashed
		s.mu.Unlock()
		if crashed != nil {
			return crashed
		}
		if now := time.Now(); now.Sub(last) >= dog.Interval() {
			last = now
			if dog.Tick(); dog.Hung() {
				return &StuckError{For: time.Duration(dog.Quiet()) * dog.Interval()}
			}
		}
	}
	return nil
}

// allEnded reports whether no process runs.
func (s *killSample) allEnded() bool {
	for i := range s.processes {
		if s.crew.Runs(i) {
			return false
		}
	}
	return true
}
