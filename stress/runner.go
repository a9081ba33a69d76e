package stress

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/affinity"
	"shmbench/internal/oracle"
	"shmbench/shm"
	"shmbench/spin"
)

// runner is one stress run.
type runner struct {
	a          shm.Algorithm
	o          Options
	processors int
	cpus       []int // to pin to; nil where that cannot be
	procs      []*process
	tally      tally
	stop       atomic.Bool // asks the processes to end their phase
	stuck      bool        // a process did not come back

	// The stride and the phase that are on; changed while all processes rest.
	lock    shm.Mutex
	section *oracle.Section
	ready   atomic.Int64 // processes at the start of the phase

	begin           time.Time
	elapsed         time.Duration
	strides, phases int
	made            uint64 // passages in ended strides
}

func newRunner(a shm.Algorithm, o Options, processors int) *runner {
	r := &runner{a: a, o: o, processors: processors}
	if cpus, err := affinity.CPUs(); err == nil && len(cpus) >= processors {
		r.cpus = cpus[:processors]
	}
	for id := range o.Procs {
		r.procs = append(r.procs, &process{id: id, orders: make(chan order), rests: make(chan struct{}, 1)})
	}
	return r
}

// run carries out the plan.
func (r *runner) run(ctx context.Context) error {
	for _, p := range r.procs {
		go r.act(p)
	}
	defer func() {
		for _, p := range r.procs {
			close(p.orders)
		}
	}()
	plan := newPlanner(r.o.Seed, r.o.Procs, r.processors)
	r.begin = time.Now()
	defer func() { r.elapsed = time.Since(r.begin) }()
	for ctx.Err() == nil && (r.strides == 0 || time.Since(r.begin) < r.o.Duration) {
		if err := r.stride(ctx, plan.stride()); err != nil {
			return err
		}
		if r.stuck || r.tally.forbidden() != "" {
			break
		}
	}
	return nil
}

// stride builds a lock and carries out the phases on it.
func (r *runner) stride(ctx context.Context, s stride) error {
	lock, err := r.a.New(r.o.Procs)
	if err != nil {
		return fmt.Errorf("New(%d): %w", r.o.Procs, err)
	}
	r.lock, r.section = lock, new(oracle.Section)
	r.strides++
	for i, ph := range s.phases {
		if ctx.Err() != nil {
			break
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
	made := uint64(0)
	for _, p := range r.procs {
		made += p.made
		p.made = 0
	}
	if err := r.section.Total(made); err != nil && !r.stop.Load() {
		r.tally.note(countsLost, err.Error())
	}
	r.made += made
	return nil
}

// phase lets processes make their passages, and watches them.
func (r *runner) phase(ctx context.Context, ph phase, seed uint64) {
	spin.Use(ph.policy)
	if ph.threads {
		runtime.GOMAXPROCS(max(r.processors, len(ph.active)) + 1)
	} else {
		runtime.GOMAXPROCS(r.processors)
	}
	r.ready.Store(0)
	for i, id := range ph.active {
		cpu := -1
		if len(ph.active) <= len(r.cpus) {
			cpu = r.cpus[i]
		}
		r.procs[id].resting.Store(false)
		r.procs[id].orders <- order{phase: ph, seed: seed, cpu: cpu}
	}
	r.watch(ctx, ph)
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
		Algorithm: r.a.Name, Procs: r.o.Procs, Processors: r.processors, Pinned: r.cpus != nil, Seed: r.o.Seed,
		Strides: r.strides, Phases: r.phases, Seconds: r.elapsed.Seconds(), Outcomes: r.tally.outcomes(made),
	}
	if kind := r.tally.forbidden(); kind != "" {
		rep.Found = &Found{Oracle: kind, Seconds: r.tally.at.Sub(r.begin).Seconds(), Stride: r.strides, Passages: made}
	}
	return rep
}
