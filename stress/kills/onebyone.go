package kills

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"sync"
	"time"

	"shmbench/internal/run/isolate"
	"shmbench/internal/run/supervise"
	"shmbench/internal/run/watchdog"
	"shmbench/shm/region"
)

// byTheClock is the mean time between two kills by the clock.
const byTheClock = 100 * time.Millisecond

// firstPassages bounds the passage of a life in which it is killed.
const firstPassages = 30

// errFound ends a supervision when something forbidden was found.
var errFound = errors.New("found")

// supervision is a supervisor of processes that are killed one by one.
type supervision struct {
	*shared
	trial  Trial
	report *Report

	mu     sync.Mutex
	random *rand.Rand
	deaths int // planned so far
}

// oneByOne kills processes one at a time, until as many were killed as the trial says.
func oneByOne(ctx context.Context, find Find, t Trial, r *Report) error {
	a, err := find(t.Lock)
	if err != nil {
		return err
	}
	memory, err := region.New("", regionSize)
	if err != nil {
		return err
	}
	defer memory.Close()
	s, err := newShared(memory, a, t.Procs)
	if err != nil {
		return err
	}
	v := &supervision{shared: s, trial: t, report: r, random: rand.New(rand.NewPCG(t.Seed, 0))}
	crew := supervise.New[death, int](ctx, memory, processes, t.Procs, v.died)
	defer crew.Stop()
	for i := range t.Procs {
		if err := crew.Start(i, v.plan()); err != nil {
			return err
		}
	}
	return v.watch(ctx, crew)
}

// watch kills processes by the clock and looks for progress, until all have ended.
func (v *supervision) watch(ctx context.Context, crew *supervise.Supervisor[death, int]) error {
	ended, stop := context.WithCancel(ctx)
	var clock sync.WaitGroup
	clock.Go(func() { v.killByTheClock(ended, crew) })
	dog := v.watchdog(v.trial.Deadline, crew.Runs)
	err := crew.Wait(dog.Interval(), func() error {
		if v.found.Load() != 0 || v.failed() {
			return errFound
		}
		if dog.Tick(); dog.Hung() {
			v.find("hung", v.places())
			return errFound
		}
		return nil
	})
	stop()
	clock.Wait()
	v.report.Passages = v.entered()
	if f := v.broken(); f != nil {
		v.report.Found = f
	}
	if errors.Is(err, errFound) {
		return nil
	}
	return err
}

// watchdog is one that counts critical sections.
func (s *shared) watchdog(deadline time.Duration, runs func(int) bool) *watchdog.Watchdog {
	return watchdog.New(len(s.process), deadline, func(i int) (uint64, watchdog.Place) {
		entered := s.process[i].entered.Load()
		switch section := s.process[i].section.Load(); {
		case !runs(i):
			return entered, watchdog.Away
		case section == Remainder || section == Critical:
			return entered, watchdog.Outside
		}
		return entered, watchdog.Inside
	})
}

// plan is the death of the next life: in each section in turn.
func (v *supervision) plan() death {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.deaths++
	d := death{Section: 1 + v.deaths%(Sections-1), Passage: v.random.IntN(firstPassages), Seed: v.random.Uint64()}
	if d.Section == Recovery { // which has something to do in the first passage
		d.Passage = 0
	}
	return d
}

// died counts a kill, and starts the process again.
func (v *supervision) died(crew *supervise.Supervisor[death, int], e supervise.End[int]) {
	if e.Err == nil || errors.Is(e.Err, context.Canceled) || v.found.Load() != 0 || v.failed() {
		return
	}
	if !wasKilled(e.Err) {
		v.find("crashed", e.Err.Error())
		return
	}
	v.mu.Lock()
	v.report.Kills[v.process[e.Number].section.Load()]++
	if v.report.Total() >= v.trial.Kills {
		v.ending.Store(true)
	}
	v.mu.Unlock()
	v.process[e.Number].section.Store(Remainder)
	crew.Start(e.Number, v.plan()) // an error: the supervisor ends
}

// wasKilled reports whether an error is that of a process that a signal has ended.
func wasKilled(err error) bool {
	var crash *isolate.Crash
	var exit *exec.ExitError
	return errors.As(err, &crash) && errors.As(crash.Err, &exit) && exit.ExitCode() == -1
}

// find notes the first forbidden outcome.
func (v *supervision) find(oracle, text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.report.Found == nil {
		v.report.Found = &Found{oracle, text}
	}
}

func (v *supervision) failed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.report.Found != nil
}

// killByTheClock kills processes at any instruction, also between two accesses and in the
// Go runtime.
func (v *supervision) killByTheClock(ctx context.Context, crew *supervise.Supervisor[death, int]) {
	for {
		v.mu.Lock()
		pause, i := time.Duration(v.random.Int64N(int64(2*byTheClock))), v.random.IntN(v.trial.Procs)
		v.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if v.ending.Load() {
			return
		}
		if life, ok := crew.Life(i); ok {
			v.process[i].killed.Store(uint64(life) + 1)
			crew.Kill(i) // an error: it has ended by itself meanwhile
		}
	}
}

func (f *Found) String() string { return fmt.Sprintf("%s: %s", f.Oracle, f.Text) }
