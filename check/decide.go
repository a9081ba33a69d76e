package check

import (
	"context"
	"slices"

	"shmbench/check/internal/model"
	"shmbench/shm"
)

// decided is all that was decided of what was explored of a lock, without its
// card. What is nil is not known, as not every state was visited.
type decided struct {
	x        *explored
	safety   safetyVerdicts
	liveness *livenessVerdicts
	order    *orderVerdicts
	modes    *modeVerdicts // of mixed passages
	use      *registerUse
	rmr      *RMR
	fences   *Fences
	// invariants has the verdicts on the lock's own.
	invariants invariantVerdicts
	// overflow is what was found with narrow words, nil before that and if none
	// grow.
	overflow *overflowed
}

// decide decides everything that depends on the automata alone.
func decide(ctx context.Context, x *explored) (*decided, error) {
	d := &decided{x: x, safety: safety(x)}
	var err error
	if d.invariants, err = invariants(ctx, x); err != nil {
		return nil, err
	}
	if x.space != nil {
		d.liveness = liveness(x)
	}
	if !x.graph.Exhausted {
		return d, nil
	}
	d.order = order(x, d.liveness.waits)
	d.use = registers(x)
	if x.mixed {
		d.modes = modes(x, d.liveness.waits)
	} else if x.memory == "sc" && x.weak == nil {
		d.rmr = remote(ctx, x, d.use)
	}
	return d, nil
}

// of returns what was decided as that of a variant, which has the same automata.
func (d *decided) of(s *subject, lock *model.Lock) *decided {
	x, own := *d.x, *d
	x.subject, x.lock, x.names = s, lock, lock.Learner.M.Names()
	own.x = &x
	return &own
}

// report says what was decided.
func (d *decided) report() *Report {
	x := d.x
	r := newReport(x.subject, x.n)
	r.visited(x)
	if x.stopped != nil {
		r.stopped = x.stopped.Error()
	}
	r.BufferedStores = x.bufferedStores
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
	if v := d.order; v != nil {
		r.FCFS, r.DoorwayWaitFree, r.Bypass, r.BypassFromStart = v.fcfs, v.doorwayWaitFree, v.bypass, v.bypassFromStart
		r.Placed = v.placed
		traces = slices.Concat(traces, v.traces)
	}
	if d.modes != nil {
		r.Modes = new(d.modes.Modes)
		traces = slices.Concat(traces, d.modes.traces)
	}
	if d.use != nil {
		r.Class, r.class, r.Registers = d.use.class.String(), d.use.class, d.use.kinds
	}
	r.RMR, r.Fences = d.rmr, d.fences
	for _, t := range traces {
		own := *t
		own.Origin = x.origin
		r.Counterexamples = append(r.Counterexamples, &own)
	}
	return r
}

// violates reports whether anything is violated that the lock must do or its card
// claims.
func (s *subject) violates(r *Report) bool {
	owed := r.basics()
	if s.card != nil {
		owed = append(owed, r.claimed(s.card)...)
	}
	return slices.ContainsFunc(owed, func(p property) bool { return p.v == Violated })
}

// newReport is the report of a lock of which nothing is known.
func newReport(s *subject, n int) *Report {
	r := &Report{Algorithm: s.name, N: n, Memory: "sc", RegisterModel: shm.Atomic, Starved: []int{}, carded: s.card != nil,
		variant: s.card != nil && s.card.VariantOf != ""}
	if paths := s.origin.Paths; len(paths) > 0 {
		r.Paths = paths[:min(n, len(paths))]
	}
	for _, inv := range s.invariants {
		r.Invariants = append(r.Invariants, Invariant{Name: inv.Name, Source: inv.Source})
	}
	r.Unmade = s.unmade
	if s.mixed {
		r.Modes, r.Unmade = newModes(s.modes), nil
		if s.card != nil {
			r.mixed = &s.card.Claims.Mixed
		}
	}
	r.setAll(Unknown)
	return r
}

// visited notes what was visited.
func (r *Report) visited(x *explored) {
	r.Memory, r.Unfenced, r.Passages, r.piling = x.memory, x.unfenced, x.lock.Passages, x.lock.Piling != nil
	if x.registers != "" {
		r.RegisterModel, r.Overflows = x.registers, x.cut()
	}
	if r.weak() && x.card != nil {
		r.weakest = &weakest{x.card.Claims.Weakest}
	}
	r.States, r.Depth, r.Exhausted = x.graph.States, x.graph.Depth, x.graph.Exhausted
	r.Transitions = x.graph.Edges + 1
	r.Symmetric = x.symmetric()
	r.Bytes = x.graph.Bytes
}
