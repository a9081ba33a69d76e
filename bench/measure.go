package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strconv"
	"time"

	"shmbench/internal/affinity"
	"shmbench/shm"
	"shmbench/spin"
)

// Options say how a sample is taken.
type Options struct {
	// Duration is the length of the counted window.
	Duration time.Duration
	// Pin locks each process to a thread and the thread to a processor.
	Pin bool
	// Counters are hardware counters to read beside, or nil.
	Counters *Counters
}

// The windows around the counted one, as parts of it.
const (
	warmUpPart = 5 // a fifth
	detailPart = 2 // a half
)

// Measure takes one sample: it starts the processes at a barrier, lets them
// warm up, counts passages for the duration, takes notes on further ones for
// half as long, and checks that the lock excluded. It returns a *BrokenError
// if not, a *shm.ProcsError if the lock cannot be built for so many processes,
// ErrIdle if there was nothing to count, ctx's error if ctx ended first, and an
// error if a process did not end.
func Measure(ctx context.Context, a shm.Algorithm, w Workload, o Options) (Sample, error) {
	if o.Duration <= 0 {
		return Sample{}, fmt.Errorf("duration of %v: it must be positive", o.Duration)
	}
	return measure(ctx, a, w, o, window{
		warmUp: o.Duration / warmUpPart,
		detail: func(time.Duration) time.Duration { return o.Duration / detailPart },
	})
}

// window is when the counted window opens and closes.
type window struct {
	warmUp time.Duration
	// quota closes the window after so many passages; 0: after Duration.
	quota uint64
	// detail returns the length of the detailed window after a counted one.
	detail func(counted time.Duration) time.Duration
	// opened and closed, if not nil, are called at the edges.
	opened, closed func()
}

func measure(ctx context.Context, a shm.Algorithm, w Workload, o Options, win window) (Sample, error) {
	t, err := newTrial(a, w, win.quota)
	if err != nil {
		return Sample{}, err
	}
	cpus, err := processors(w.Procs, o.Pin)
	if err != nil {
		return Sample{}, err
	}
	settle()
	// A process that is stuck in another sample's lock has no turn in this one.
	spin.Use(spin.InUse())
	// A profile tells the locks of a run apart.
	pprof.Do(ctx, pprof.Labels("alg", a.Name, "procs", strconv.Itoa(w.Procs)), func(context.Context) { t.start(cpus) })
	spent, err := t.conduct(ctx, o, win)
	// Cancelled or not, the processes must end before the lock is judged.
	if stuck := t.end(); stuck != nil {
		err = stuck
	}
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	if err := t.check(); err != nil {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	sample := t.summarize(a, spent)
	if sample.Passages == 0 {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, ErrIdle)
	}
	return sample, nil
}

// ErrIdle says that there was nothing to count.
var ErrIdle = errors.New("no process began and ended a passage in the counted window: measure for longer")

// processors returns where n processes are to be pinned, nil if they are not.
func processors(n int, pin bool) ([]int, error) {
	if !pin {
		return nil, nil
	}
	if err := affinity.Enough(n); err != nil {
		return nil, err
	}
	return affinity.CPUs()
}

// conduct moves the trial through its phases up to the last and returns what
// the counted window used.
func (t *trial) conduct(ctx context.Context, o Options, win window) (usage, error) {
	if err := t.await(ctx, t.gathered, "come to the barrier"); err != nil {
		return usage{}, err
	}
	t.phase.Store(warmingUp)
	if err := t.await(ctx, t.started, "begun"); err != nil {
		return usage{}, err
	}
	if err := sleep(ctx, win.warmUp); err != nil {
		return usage{}, err
	}

	before := takeUsage(o.Counters)
	if win.opened != nil {
		win.opened()
	}
	start := time.Now()
	t.phase.Store(counting)
	var err error
	if win.quota > 0 {
		select {
		case <-t.closed:
		case <-ctx.Done():
			err = ctx.Err()
		}
	} else {
		err = sleep(ctx, o.Duration)
		t.phase.CompareAndSwap(counting, detailing)
	}
	counted := time.Since(start)
	if win.closed != nil {
		win.closed()
	}
	spent := takeUsage(o.Counters).since(before)
	spent.wall = counted
	if err != nil {
		return usage{}, err
	}
	return spent, sleep(ctx, win.detail(counted))
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
