package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strconv"
	"time"

	"shmbench/internal/machine/affinity"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// Options say how Measure takes a sample.
type Options struct {
	// Duration is the length of the counted window; 0 means DefaultDuration. Every
	// window goes on until every process has made 20 passages, for at most ten
	// times its length.
	Duration time.Duration
	// Pin locks each process to a thread and the thread to a processor.
	Pin Pinning
	// Counters are the hardware counters to read during the sample, or nil.
	Counters *Counters
}

// DefaultDuration is such that nine samples take as long as eight samples of 50 ms.
// Nine samples have a symmetric confidence interval of their median, at 96 %.
const DefaultDuration = 44 * time.Millisecond

// The other windows are parts of the counted window. A window goes on for at most
// patienceOf times its length.
const (
	warmUpPart = 5 // a fifth
	detailPart = 4 // a quarter, for each of two
	patienceOf = 10
)

// Measure takes one sample. It starts the processes at a barrier, lets them warm up, and
// counts passages for the duration. It takes notes on further passages for half as long, and
// checks that the lock excluded.
//
// Measure returns a *BrokenError if the lock did not exclude, and a *shm.ProcsError if the
// lock is not for so many processes. It returns ErrIdle if there was nothing to count, ctx's
// error if ctx ended first, and a *StuckError if the lock hangs. The processes of a lock
// that hangs cannot be stopped: until they end, further calls return an error.
func Measure(ctx context.Context, a shm.Algorithm, w Workload, o Options) (Sample, error) {
	if o.Duration < 0 {
		return Sample{}, fmt.Errorf("duration of %v: it must be positive", o.Duration)
	}
	o.Duration = cmp.Or(o.Duration, DefaultDuration)
	if w.Kills > 0 {
		return measureKilled(ctx, a, w, o)
	}
	return measure(ctx, a, w, o, window{
		warmUp: o.Duration / warmUpPart,
		detail: func(time.Duration) time.Duration { return o.Duration / detailPart },
	})
}

// window says when the counted window opens and closes.
type window struct {
	warmUp time.Duration
	// quota, if positive, is the least number of passages of the window, and least is
	// its shortest duration. Otherwise the window is open for Duration.
	quota uint64
	least time.Duration
	// detail returns the length of each detailed window after a counted one.
	detail func(counted time.Duration) time.Duration
	// heap, if not nil, records what the program allocates in the window.
	heap *heapUse
	// opened and closed, if not nil, are called at the edges of the window.
	opened, closed func()
}

func measure(ctx context.Context, a shm.Algorithm, w Workload, o Options, win window) (Sample, error) {
	if win.quota > 0 && !w.numbered() {
		return Sample{}, errors.New("only critical sections that check number their passages: with readers or Touch, measure for a time")
	}
	if w.Kills > 0 {
		return Sample{}, errors.New("a number of passages is of processes that live: with kills, measure for a time")
	}
	if _, apart := Between(a.Name); apart && win.quota > 0 {
		return Sample{}, errors.New("a number of passages is of goroutines: between processes, measure for a time")
	}
	if err := undisturbed(); err != nil {
		return Sample{}, err
	}
	t, err := newTrial(a, w)
	if err != nil {
		return Sample{}, err
	}
	t.quota, t.least, t.heap = win.quota, win.least, win.heap
	cpus, err := processors(w.Procs, o.Pin)
	if err != nil {
		return Sample{}, err
	}
	settle()
	spin.Among(w.Procs)
	if _, apart := Between(a.Name); apart {
		stop, err := t.spread(ctx, cpus)
		if err != nil {
			return Sample{}, fmt.Errorf("%s: %w", a.Name, err)
		}
		defer stop()
	} else {
		// The labels let a profile distinguish the locks of a run.
		pprof.Do(ctx, pprof.Labels("alg", a.Name, "procs", strconv.Itoa(w.Procs)), func(context.Context) { t.start(cpus) })
	}
	spent, err := t.run(ctx, o, win)
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	sample := t.notes(spent).sample(a)
	if sample.Passages == 0 {
		return Sample{}, fmt.Errorf("%s: %w", a.Name, ErrIdle)
	}
	return sample, nil
}

// run conducts the trial to its end and judges the lock. If mutual exclusion held, it returns
// what the program used in the counted window.
func (t *trial) run(ctx context.Context, o Options, win window) (usage, error) {
	g := newGuard(t)
	defer g.stop()
	spent, err := t.conduct(ctx, g, o, win)
	if errors.As(err, new(*StuckError)) || errors.As(err, new(*ExitError)) {
		t.declare(over)
		t.abandon(len(t.procs))
		return usage{}, err
	}
	// The processes must end before the lock is judged, even if ctx was canceled.
	if stuck := t.end(ctx, g); stuck != nil {
		return usage{}, stuck
	}
	if err != nil && err != errMet {
		return usage{}, err
	}
	return spent, t.check()
}

// ErrIdle is the error of a sample without passages to count.
var ErrIdle = errors.New("no process made a passage in the counted window: measure for longer")

// Pinning says to which processors the processes are pinned.
type Pinning string

const (
	// NotPinned leaves the choice to the operating system.
	NotPinned Pinning = ""
	// PinCores gives each process a core of its own while free cores are left.
	PinCores Pinning = "cores"
	// PinThreads fills all hardware threads of a core before the next core.
	PinThreads Pinning = "threads"
)

// Order is the order in which pinned processes fill the processors.
func (p Pinning) Order() affinity.Order {
	if p == PinThreads {
		return affinity.ByThread
	}
	return affinity.ByCore
}

// processors returns to which processors n processes are to be pinned, or nil if to none.
func processors(n int, pin Pinning) ([]int, error) {
	if pin == NotPinned {
		return nil, nil
	}
	if err := affinity.Enough(n); err != nil {
		return nil, err
	}
	places, err := affinity.Places(pin.Order())
	cpus := make([]int, len(places))
	for i, p := range places {
		cpus[i] = p.CPU
	}
	return cpus, err
}

// conduct moves the trial through its phases up to the last one. It returns what
// the program used in the counted window.
func (t *trial) conduct(ctx context.Context, g *guard, o Options, win window) (usage, error) {
	if _, err := await(ctx, g, t.gathered); err != nil {
		return usage{}, err
	}
	t.declare(warmingUp)
	if _, err := await(ctx, g, t.started); err != nil {
		return usage{}, err
	}
	if err := g.sleep(ctx, win.warmUp); err != nil {
		return usage{}, err
	}

	before := takeUsage(o.Counters)
	if win.opened != nil {
		win.opened()
	}
	t.declare(counting)
	if err := t.count(ctx, g, o.Duration); err != nil {
		return usage{}, err
	}
	if win.closed != nil {
		win.closed()
	}
	spent := takeUsage(o.Counters).since(before)
	if t.apart { // the processes used the time of other programs
		spent.cpuKnown, spent.counters = false, nil
	}
	detail := win.detail(spent.wall)
	if err := t.window(ctx, g, ordering, detail); err != nil {
		return usage{}, err
	}
	t.declare(timing)
	return spent, t.window(ctx, g, timing, detail)
}

// count waits until the counted window is over. It closes the window, unless the
// passage that reached the quota has already closed it.
func (t *trial) count(ctx context.Context, g *guard, d time.Duration) error {
	if t.quota > 0 {
		if _, err := await(ctx, g, t.filled); err != nil || t.phase.Load() != counting {
			return err
		}
		d = t.least
	}
	if err := t.window(ctx, g, counting, d); err != nil {
		return err
	}
	t.declare(ordering)
	return nil
}

// window lets a phase continue for d, and then until every process has made
// fewPassages in it, for at most patienceOf times d.
func (t *trial) window(ctx context.Context, g *guard, phase uint32, d time.Duration) error {
	err := g.sleep(ctx, d)
	for left := patienceOf - 1; err == nil && left > 0 && int(t.enough[phase].Load()) < len(t.procs); {
		left -= 1
		err = g.sleep(ctx, d)
	}
	return err
}
