package stress

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"shmbench/internal/machine/affinity"
	"shmbench/locktest/oracle"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// runner is one stress run.
type runner struct {
	a          shm.Algorithm
	o          Options
	processors int
	cpus       []int      // to pin to, one for each of processors; nil where that cannot be
	allowed    []int      // to pin to, also where Go is to use fewer
	modes      []shm.Mode // the lock's
	procs      []*process
	tally      tally
	stuck      bool        // a process did not come back
	apart      bool        // the processes are those of the operating system
	crashed    atomic.Bool // one of them has ended before its time
	killed     atomic.Bool // another program killed one of them
	idle       func()      // lets others run

	// The stride and the phase that are on; changed while all processes rest.
	*shared
	n        int
	delegate shm.Delegate // makes the passages of the phase, or nil
	mixed    bool         // passages are made in several modes

	begin           time.Time
	elapsed         time.Duration
	strides, phases int
	made            uint64 // passages in ended strides
	contended       uint64 // those known to be contended among them
	looked          uint64 // those of readers among them
	failed          uint64 // entries that were tried, or given up
	executed        uint64 // passages by Execute
	undecided       int    // the stride in which an unfair phase took all its time, 0 for none
}

// shared is what the processes of a stride share. Between processes of the operating system
// it lies in a region: see strideApart.
type shared struct {
	lock       shm.Mutex
	section    *oracle.Section
	contention *oracle.Contention
	stop       atomic.Bool  // asks the processes to end their phase, as the run is over
	enough     atomic.Bool  // asks them to end it, as it has lasted for long enough
	ready      atomic.Int64 // processes at the start of the phase
	orders     *orders      // of processes of the operating system
}

func newShared(lock shm.Mutex) *shared {
	return &shared{lock: lock, section: new(oracle.Section), contention: new(oracle.Contention)}
}

func newRunner(a shm.Algorithm, o Options, processors int) *runner {
	r := &runner{a: a, o: o, processors: processors, modes: []shm.Mode{shm.Exclusive}, idle: runtime.Gosched, shared: newShared(nil), apart: o.Processes}
	if a.New != nil {
		r.modes = a.Modes()
	}
	if cpus, err := affinity.CPUs(); err == nil && len(cpus) >= processors {
		r.cpus, r.allowed = cpus[:processors], cpus
	}
	for id := range slices.Max(o.Procs) {
		r.procs = append(r.procs, &process{id: id, public: new(public), orders: make(chan order), rests: make(chan struct{}, 1)})
	}
	return r
}

// run carries out the plan.
func (r *runner) run(ctx context.Context) error {
	stride := r.stride
	if r.apart {
		stride = r.strideApart
	}
	for _, p := range r.procs {
		if !r.apart {
			go r.act(p)
		}
	}
	defer func() {
		for _, p := range r.procs {
			close(p.orders)
		}
	}()
	plan := newPlanner(r.o.Seed, r.o.Procs, r.processors, r.a.Claims.StarvationFree)
	plan.several, plan.mixed = len(r.modes) > 1, r.mixedStarvationFree()
	r.begin = time.Now()
	defer func() { r.elapsed = time.Since(r.begin) }()
	for ctx.Err() == nil && (r.strides == 0 || r.goesOn()) {
		if err := stride(ctx, plan.stride()); err != nil {
			return err
		}
		if r.stuck || r.tally.forbidden() != "" {
			break
		}
	}
	return nil
}

// goesOn reports whether the run is to have another phase after its first
// stride: until the time is up and the passages are made, but not for so much
// longer than the time that a slow machine would never end.
func (r *runner) goesOn() bool {
	elapsed := time.Since(r.begin)
	return elapsed < r.o.Duration || r.made < r.o.Passages && elapsed < patience*r.o.Duration
}

// undecidedRest is for how many strides there is no unfair phase after one that
// took all its time and showed nothing.
const undecidedRest = 8

// patience is how many times its duration a run may take that makes its
// passages slowly.
const patience = 5

// stride builds a lock and carries out the phases on it.
func (r *runner) stride(ctx context.Context, s stride) error {
	lock, err := r.a.New(s.n)
	if err != nil {
		return fmt.Errorf("New(%d): %w", s.n, err)
	}
	r.n, r.shared = s.n, newShared(lock)
	r.strides++
	for i, ph := range s.phases {
		if ctx.Err() != nil || r.strides > 1 && !r.goesOn() {
			break
		}
		if ph.world == unfair && r.undecided > 0 && r.strides < r.undecided+undecidedRest {
			continue
		}
		r.phases++
		r.phase(ctx, ph, s.seed+uint64(i))
		if r.stuck || r.tally.forbidden() != "" {
			break
		}
	}
	if r.stuck {
		return nil
	}
	r.settle()
	return nil
}

// settle takes the accounts of a stride that has ended.
func (r *runner) settle() {
	made, looked := uint64(0), uint64(0)
	for _, p := range r.procs {
		made += p.made
		looked += p.looked
		r.failed += p.failed
		r.executed += p.executed
		p.account = account{}
	}
	if err := r.section.Total(made - looked); err != nil && !r.stop.Load() {
		r.tally.note(countsLost, err.Error())
	}
	r.made += made
	r.contended += r.contention.Count()
	r.looked += looked
}

// phase lets processes make their passages, and watches them.
func (r *runner) phase(ctx context.Context, ph phase, seed uint64) {
	spin.Use(ph.policy)
	runtime.GOMAXPROCS([]int{
		onProcessors: r.processors,
		onThreads:    max(r.processors, len(ph.active)) + 1,
		interrupted:  2, // one for the interrupter
		unfair:       1,
	}[ph.world])
	cpus := r.cpus
	if ph.goal > 0 {
		cpus = r.allowed
	}
	r.mixed = ph.mixed > 0
	r.delegate = r.delegateFor(seed)
	r.ready.Store(0)
	r.enough.Store(false)
	for i, id := range ph.active {
		cpu := -1
		if len(ph.active) <= len(cpus) && ph.world != interrupted && ph.world != unfair {
			cpu = cpus[i]
		}
		r.procs[id].resting.Store(false)
		r.procs[id].orders <- order{phase: ph, seed: seed, cpu: cpu}
	}
	r.watch(ctx, ph)
}

// mixedStarvationFree reports whether the specification claims that a process that calls
// what cannot fail enters, in whatever modes the others make their passages.
func (r *runner) mixedStarvationFree() bool {
	for _, mode := range r.modes {
		if !mode.MayFail() && !r.entersInTheEnd(mode) {
			return false
		}
	}
	return len(r.modes) > 1
}

// entersInTheEnd reports whether the specification claims, where modes are mixed, that a
// process enters in the end that would in this mode.
func (r *runner) entersInTheEnd(mode shm.Mode) bool {
	switch mode {
	case shm.Exclusive:
		return r.a.Claims.Mixed.Writers.StarvationFree
	case shm.Shared:
		return r.a.Claims.Mixed.Readers.StarvationFree
	}
	return false
}

// mayStarve reports whether the specification lets process p wait forever while others enter.
func (r *runner) mayStarve(p *process) bool {
	if r.mixed {
		return !r.entersInTheEnd(shm.Mode(p.mode.Load()))
	}
	return !r.a.Claims.StarvationFree
}

// report is the outcome of the run.
func (r *runner) report() *Report {
	made := r.made
	if r.stuck {
		for _, p := range r.procs {
			made += entered(p.at.Load())
		}
	}
	rep := &Report{
		Algorithm: r.a.Name, Procs: r.o.Procs, Processors: r.processors, Processes: r.apart, Pinned: r.cpus != nil && !r.apart, Seed: r.o.Seed,
		Strides: r.strides, Phases: r.phases, Seconds: r.elapsed.Seconds(), Contended: r.contended, Outcomes: r.tally.outcomes(made, r.looked, r.executed, r.failed),
	}
	if kind := r.tally.forbidden(); kind != "" {
		rep.Found = &Found{Oracle: kind, Procs: r.n, Seconds: r.tally.at.Sub(r.begin).Seconds(), Stride: r.strides, Passages: made}
	}
	return rep
}
