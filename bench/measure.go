package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strconv"
	"time"

	"shmbench/internal/affinity"
	"shmbench/shm"
)

// Options say how a sample is taken.
type Options struct {
	// Duration is the length of the counted window; 0 means DefaultDuration. All
	// windows go on until every process has made 20 passages, or for ten times as
	// long.
	Duration time.Duration
	// Pin locks each process to a thread and the thread to a processor.
	Pin Pinning
	// Counters are hardware counters to read beside, or nil.
	Counters *Counters
}

// DefaultDuration is as long as nine samples of it take as long as eight of 50 ms:
// nine have an interval of their median that is symmetric, at 96 %.
const DefaultDuration = 44 * time.Millisecond

// The windows around the counted one as parts of it, and how many times its
// length a window goes on for at most.
const (
	warmUpPart = 5 // a fifth
	detailPart = 4 // a quarter, for each of two
	patienceOf = 10
)

// Measure takes one sample: it starts the processes at a barrier, lets them
// warm up, counts passages for the duration, takes notes on further ones for
// half as long, and checks that the lock excluded. It returns a *BrokenError
// if not, a *shm.ProcsError if the lock cannot be built for so many processes,
// ErrIdle if there was nothing to count, ctx's error if ctx ended first, and an
// error if a process did not end.
func Measure(ctx context.Context, a shm.Algorithm, w Workload, o Options) (Sample, error) {
	if o.Duration < 0 {
		return Sample{}, fmt.Errorf("duration of %v: it must be positive", o.Duration)
	}
	o.Duration = cmp.Or(o.Duration, DefaultDuration)
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
	// detail returns the length of each detailed window after a counted one.
	detail func(counted time.Duration) time.Duration
	// opened and closed, if not nil, are called at the edges.
	opened, closed func()
}

func measure(ctx context.Context, a shm.Algorithm, w Workload, o Options, win window) (Sample, error) {
	if win.quota > 0 && w.Readers > 0 {
		return Sample{}, errors.New("a number of passages is of writers: with readers, measure for a time")
	}
	t, err := newTrial(a, w, win.quota)
	if err != nil {
		return Sample{}, err
	}
	cpus, err := processors(w.Procs, o.Pin)
	if err != nil {
		return Sample{}, err
	}
	settle()
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
	sample := t.notes(spent).sample(a)
	if sample.Passages == 0 {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, ErrIdle)
	}
	return sample, nil
}

// ErrIdle says that there was nothing to count.
var ErrIdle = errors.New("no process made a passage in the counted window: measure for longer")

// Pinning says on which processors processes run.
type Pinning string

const (
	// NotPinned leaves it to the operating system.
	NotPinned Pinning = ""
	// PinCores gives each process a core of its own while there are any.
	PinCores Pinning = "cores"
	// PinThreads fills the hardware threads of a core before the next.
	PinThreads Pinning = "threads"
)

func (p Pinning) order() affinity.Order {
	if p == PinThreads {
		return affinity.ByThread
	}
	return affinity.ByCore
}

// processors returns where n processes are to be pinned, nil if they are not.
func processors(n int, pin Pinning) ([]int, error) {
	if pin == NotPinned {
		return nil, nil
	}
	if err := affinity.Enough(n); err != nil {
		return nil, err
	}
	places, err := affinity.Places(pin.order())
	cpus := make([]int, len(places))
	for i, p := range places {
		cpus[i] = p.CPU
	}
	return cpus, err
}

// conduct moves the trial through its phases up to the last and returns what
// the counted window used.
func (t *trial) conduct(ctx context.Context, o Options, win window) (usage, error) {
	if err := t.await(ctx, t.gathered, "come to the barrier"); err != nil {
		return usage{}, err
	}
	t.declare(warmingUp)
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
	t.declare(counting)
	var err error
	if win.quota > 0 {
		select {
		case <-t.closed:
		case <-ctx.Done():
			err = ctx.Err()
		}
	} else {
		err = t.window(ctx, counting, o.Duration)
		t.declare(ordering)
	}
	if win.closed != nil {
		win.closed()
	}
	spent := takeUsage(o.Counters).since(before)
	spent.wall = time.Duration(t.opened[ordering] - t.opened[counting])
	if err != nil {
		return usage{}, err
	}
	detail := win.detail(spent.wall)
	if err := t.window(ctx, ordering, detail); err != nil {
		return usage{}, err
	}
	t.declare(timing)
	return spent, t.window(ctx, timing, detail)
}

// window lets a phase go on for d, and then until every process has made
// fewPassages in it, or for patienceOf times d.
func (t *trial) window(ctx context.Context, phase uint32, d time.Duration) error {
	err := sleep(ctx, d)
	for left := patienceOf - 1; err == nil && left > 0 && int(t.enough[phase].Load()) < len(t.procs); {
		left -= 1
		err = sleep(ctx, d)
	}
	return err
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
