package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// stoppedEarly returns the verdicts on a lock when a bound was reached before it was learned.
func stoppedEarly(l *source.Lock, stopped *model.Stopped) *verdicts {
	learned := stopped.Lock
	var memory execution.Memory = execution.Consistent{}
	if l.Crashes != nil {
		memory = execution.NewCrashing(&explore.Crashing{Crashes: *l.Crashes})
	}
	x := explored.New(l, learned, memory, nil, &explore.Graph{States: stopped.States, Depth: stopped.Depth}, explore.Options{})
	x.Stopped = stopped
	d := &verdicts{x: x, safety: judged(x, stopped.Found)}
	if l.Crashes != nil {
		d.crashes = newCrashVerdicts(*l.Crashes)
	}
	return d
}

// unlearned returns the report of a lock that could not be learned, if the reason is the
// lock. The machine is nil if the lock could not be built.
func (c *checking) unlearned(ctx context.Context, m *interp.Machine, why error) (*Report, error) {
	r := newReport(c.b.Lock, c.n, m)
	r.Passages = c.o.Passages
	var fault *interp.Fault
	var large *automaton.ErrTooLarge
	var piling *interp.Piling
	var notBuilt *interp.NotBuiltError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(why, errCrashingAllocates):
		r.Refused = why.Error()
	case errors.As(why, &piling):
		r.stopped = piling.Error()
	case errors.As(why, &fault):
		r.refuse(fault)
	case errors.As(why, &notBuilt) && (len(c.o.N) > 0 || c.b.Lock.Spec != nil): // it should be built for n
		r.cannot(notBuilt)
	case errors.As(why, &large):
		r.stopped = large.Error()
	default:
		return nil, fmt.Errorf("%s, n=%d: %w", c.b.Lock.Name, c.n, why)
	}
	r.Seconds = c.Seconds
	return r, nil
}

// outOfReach returns the report of a lock that violates nothing before a process does what cannot
// be modeled. It returns nil for any other lock. If processes crash, a bound that was reached
// counts as well.
func (c *checking) outOfReach(d *verdicts) *Report {
	fault, ok := errors.AsType[*interp.Fault](d.x.Stopped)
	crashes := d.crashes != nil && d.x.Stopped != nil
	if !ok && !crashes {
		return nil
	}
	r := d.report()
	if r.violates() {
		return nil
	}
	if !crashes {
		r = newReport(d.x.Source, d.x.N, d.x.Learned.Learner.M)
		r.visited(d.x)
		r.refuse(fault)
	}
	r.Seconds = c.Seconds
	return r
}

// refuse notes that the lock cannot be modeled, which its specification must admit, or that
// a bound of the interpreter's was reached.
func (r *Report) refuse(why *interp.Fault) {
	r.Exhausted = false
	r.setAll(Unknown)
	if why.Open {
		r.stopped = why.Error()
		return
	}
	r.cannot(why)
}

// cannot notes why the lock cannot be checked.
func (r *Report) cannot(why error) {
	r.Refused = why.Error()
	if r.spec != nil && r.spec.Class&shm.Opaque == 0 {
		r.Disagreements = append(r.Disagreements, "it is undecided, though its class is not opaque: "+r.Refused)
	}
}

// violates reports whether anything is violated that the lock must do or its specification
// claims.
func (r *Report) violates() bool {
	return slices.ContainsFunc(r.owed(), func(p property) bool { return *p.v == Violated })
}
