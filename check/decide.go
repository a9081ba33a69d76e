package check

import (
	"context"
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// verdicts is the fourth stage of a check. It has all verdicts on an explored lock, and does not
// use the lock's specification. A nil field is unknown, because not every state was visited.
type verdicts struct {
	x        *explored.Lock
	safety   safetyVerdicts
	liveness *livenessVerdicts
	deadlock *deadlockVerdict // where no edges were kept
	order    *orderVerdicts
	modes    *modeVerdicts // of mixed passages
	use      *registerUse
	rmr      *RMR
	costs    *Costs
	fences   *Fences
	crashes  *crashVerdicts // where processes crash
	// invariants has the verdicts on the lock's own invariants.
	invariants invariantVerdicts
	// sharedWith is the algorithm that the lock is a variant of, if the verdicts are those on that
	// algorithm.
	sharedWith string
}

// blank reports whether properties of long executions are left open: a process that has failed makes
// no further step, and the others may wait for it.
func (d *verdicts) blank() bool { return d.safety.panics == Violated || d.safety.outcomes == Violated }

// decide decides everything that depends on the automata alone. It finds Costs if the number of
// states does not exceed most, and neither Costs nor RMR if most is 0.
func decide(ctx context.Context, x *explored.Lock, most int) (*verdicts, error) {
	d := &verdicts{x: x, safety: safety(x)}
	var err error
	if d.invariants, err = invariants(ctx, x); err != nil {
		return nil, err
	}
	if d.blank() {
		if x.Exhausted() && x.Space != nil {
			d.use = registers(x)
		}
		return d, nil
	}
	if x.Space != nil {
		d.liveness = liveness(x)
	} else if x.Opts.StatesOnly && x.Graph.Exhausted {
		d.deadlock = deadlock(ctx, x)
	}
	if !x.Exhausted() || x.Space == nil {
		return d, nil
	}
	d.order = order(x)
	d.use = registers(x)
	if x.Source.Mixed {
		d.modes = modes(x)
	}
	if most == 0 || !x.Memory.Terms().Consistent() {
		return d, nil
	}
	if !x.Source.Mixed {
		d.rmr = remote(ctx, x, d.use)
	}
	d.costs = costs(ctx, x, d.use, most)
	return d, nil
}

// errSharedMemory is why a lock is undecided on registers that are not atomic.
var errSharedMemory = &interp.Fault{Refused: true, Open: true,
	Msg: "registers that are not atomic are not explored where Lock or Unlock shares memory that it has allocated"}

// decideWeak explores a lock on registers that are not atomic, and decides its properties on
// them.
func decideWeak(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options, registers shm.RegisterModel) (*verdicts, error) {
	x, err := explored.NotAtomic(ctx, l, learned, opts, registers)
	switch {
	case err != nil:
		return nil, err
	case x.Stopped != nil:
		return &verdicts{x: x, safety: judged(x, nil)}, nil
	}
	return decide(ctx, x.Complete(), costStates)
}

// of returns the verdicts as those of a variant that has the same automata.
func (d *verdicts) of(l *source.Lock, learned *model.Lock) *verdicts {
	x, own := *d.x, *d
	x.Source, x.Learned, x.Names = l, learned, learned.Learner.M.Names()
	own.x, own.sharedWith = &x, d.x.Source.Name
	return &own
}

// report returns the verdicts as a report.
func (d *verdicts) report() *Report {
	x := d.x
	r := newReport(x.Source, x.N, x.Learned.Learner.M)
	r.visited(x)
	if x.Stopped != nil {
		r.stopped = x.Stopped.Error()
	}
	r.SharedWith = d.sharedWith
	r.MutualExclusion, r.DataRaceFreedom, r.PanicFreedom = d.safety.exclusion, d.safety.races, d.safety.panics
	if d.invariants.all != nil {
		r.Invariants = slices.Clone(d.invariants.all)
	}
	traces := slices.Concat(d.safety.traces, d.invariants.traces)
	if v := d.liveness; v != nil {
		r.DeadlockFreedom, r.StarvationFreedom, r.Starved = v.deadlock, v.starvation, v.starved
		r.ExitProgress, r.ExitWaitFree, r.Unlucky = v.exitProgress, v.exitWaitFree, v.unlucky
		traces = slices.Concat(traces, v.traces)
	}
	if v := d.deadlock; v != nil {
		r.DeadlockFreedom, r.openDeadlock = v.verdict, v.why
		traces = append(traces, v.traces...)
	}
	if v := d.order; v != nil {
		r.FCFS, r.DoorwayWaitFree, r.Bypass, r.BypassFromStart = v.fcfs, v.doorwayWaitFree, v.bypass, v.bypassFromStart
		r.Placed, r.doorwayEnds = v.placed, v.doorwayEnds
		traces = slices.Concat(traces, v.traces)
	}
	if d.modes != nil {
		r.Modes = new(d.modes.Modes)
		traces = slices.Concat(traces, d.modes.traces)
	}
	if v := d.crashes; v != nil {
		r.Crashes, r.mostCrashes = new(v.CrashVerdicts), v.kind.Most
		r.Crashes.RecoverResult = d.safety.outcomes
		traces = slices.Concat(traces, v.traces)
	}
	if d.use != nil {
		r.Class, r.class, r.Registers = d.use.class.String(), d.use.class, d.use.kinds
	}
	r.RMR, r.Costs, r.Fences = d.rmr, d.costs, d.fences
	for _, t := range traces {
		own := *t
		own.Origin = x.Source.Origin
		r.Counterexamples = append(r.Counterexamples, &own)
	}
	return r
}

// newReport returns the report of a lock before anything is decided. The machine has the lock;
// it is nil if the lock could not be built.
func newReport(l *source.Lock, n int, m *interp.Machine) *Report {
	r := &Report{Algorithm: l.Name, N: n, Memory: "sc", RegisterModel: shm.Atomic, Starved: []int{}, spec: l.Spec}
	if paths := l.Origin.Paths; len(paths) > 0 {
		r.Paths = paths[:min(n, len(paths))]
	}
	for _, inv := range l.Invariants {
		r.Invariants = append(r.Invariants, Invariant{Name: inv.Name, Source: inv.Source})
	}
	if m != nil {
		r.has, r.NotCalled = m.Modes(), m.NotCalled()
	}
	if l.Mixed {
		r.Modes, r.NotCalled = newModes(r.has), nil
	}
	r.setAll(Unknown)
	return r
}

// visited notes the size of the explored graph.
func (r *Report) visited(x *explored.Lock) {
	t := x.Memory.Terms()
	r.Memory, r.Unfenced, r.BufferedStores, r.Overflows = t.Memory, t.Unfenced, t.BufferedStores, t.Overflows
	if t.Registers != "" {
		r.RegisterModel = t.Registers
	}
	r.Passages, r.piling = x.Learned.Passages, x.Learned.Piling != nil
	r.States, r.Depth, r.Exhausted = x.Graph.States, x.Graph.Depth, x.Exhausted()
	r.Transitions = x.Graph.Edges + 1
	r.Bytes, r.SafetyOnly = x.Graph.Bytes, x.Opts.StatesOnly
	var made explore.Steps
	r.Renamings, made = explore.ReductionsOf(x.Graph.Sys)
	r.PartialOrder = made != explore.AllSteps
}
