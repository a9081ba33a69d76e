package check

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"shmbench/check/internal/crashes"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
)

// MaxCrashes is the largest value of Crashes.Most.
const MaxCrashes = 255

// ParseCrashes parses a text that String returns.
func ParseCrashes(text string) (c Crashes, err error) {
	most := text
	if rest, ok := strings.CutPrefix(text, "system"); ok {
		c.System = true
		if rest == "" {
			return c, nil
		}
		if most, ok = strings.CutPrefix(rest, ":"); !ok {
			most = ""
		}
	} else if text == "any" {
		return c, nil
	}
	c.Most, err = strconv.Atoi(most)
	if err != nil || c.Most < 1 || c.Most > MaxCrashes {
		return c, fmt.Errorf("%q is not a kind of crashes: write any, system, a number from 1 to %d, or system and a number, as in system:1", text, MaxCrashes)
	}
	return c, nil
}

// CrashVerdicts has the verdicts, besides those of the Report, on a lock whose processes crash. In
// the Report, deadlock freedom and StarvationFreedom are about executions with finitely many
// crashes. MutualExclusion does not count a process that has crashed in its critical section.
// ExitWaitFree allows any crashes of other processes.
type CrashVerdicts struct {
	// Crashes is the text of Crashes.String, and Recovers reports whether the lock has Recover.
	Crashes  string `json:"crashes"`
	Recovers bool   `json:"recovers"`
	// Reentry is the verdict on critical-section reentry: after a process has crashed in its critical
	// section, no other process enters before that process has entered again.
	Reentry Verdict `json:"reentry"`
	// StrongStarvationFreedom is the verdict that each process eventually enters, if each
	// super-passage has finitely many crashes. A super-passage ends with a passage without a crash.
	StrongStarvationFreedom Verdict `json:"strong_starvation_freedom"`
	// StrongFCFS is the verdict that a process past its doorway enters before every process that
	// begins its super-passage later. The first process may crash while it waits. In the Report,
	// FCFS says so of a process that does not crash while it waits.
	StrongFCFS Verdict `json:"strong_fcfs"`
	// BoundedReentry is the verdict on ReentrySteps: after a crash in its critical section, a process
	// is there again within that number of its own steps, unless it crashes on the way.
	// RecoverySteps and ExitSteps bound Recover and the exit section likewise. Each is -1 if there is
	// no bound, and nil if it is unknown.
	BoundedReentry  Verdict `json:"bounded_reentry"`
	BoundedRecovery Verdict `json:"bounded_recovery"`
	ReentrySteps    *int    `json:"reentry_steps"`
	RecoverySteps   *int    `json:"recovery_steps"`
	ExitSteps       *int    `json:"exit_steps"`
	// RMR is the worst-case number of remote memory references of a passage. A crash of the process
	// ends its passage and empties its cache. RMR has no figure for an uncontended passage. RMR is nil
	// if not every state was visited.
	RMR *RMR `json:"rmr,omitempty"`

	kind Crashes
}

func (c *CrashVerdicts) all() []property {
	if c == nil {
		return nil
	}
	return []property{{verdict.Reentry, &c.Reentry}, {verdict.StrongStarvationFreedom, &c.StrongStarvationFreedom}, {verdict.StrongFirstComeFirstServed, &c.StrongFCFS},
		{verdict.BoundedReentry, &c.BoundedReentry}, {verdict.BoundedRecovery, &c.BoundedRecovery}}
}

// checkCrashes checks a lock whose processes crash.
func (run *runner) checkCrashes(ctx context.Context, b *source.Builder, m *interp.Machine, search explore.Options, w *watch, stage *string) (*Report, error) {
	x, r, err := run.crashed(ctx, b, m, search, w, stage)
	if err != nil || x == nil || x.Stopped != nil && !r.violates() {
		return r, err
	}
	r.compareRecovery(b.Lock, run.o)
	if run.o.Sources {
		r.Code, r.texts = x.Source.Code(x.Model)
		for _, t := range r.Counterexamples {
			t.Code = r.Code
		}
	}
	*stage = whileReplaying
	err = run.replay(ctx, &decided{x: x}, r)
	w.lap(&w.Replaying)
	r.Seconds = w.Seconds
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return r, err
}

// crashed explores a lock whose processes crash, and decides its properties. The graph is nil if
// there is none.
func (run *runner) crashed(ctx context.Context, b *source.Builder, m *interp.Machine, search explore.Options, w *watch, stage *string) (x *explored.Lock, r *Report, err error) {
	kind := *run.o.Crashes
	*stage = whileLearning
	o := b.Options(run.o.Passages, search)
	o.Crashes = &kind
	learned, err := model.Of(ctx, b.Build, m, o)
	w.lap(&w.Learning)
	var stopped *model.Stopped
	switch {
	case errors.As(err, &stopped):
		d := stoppedEarly(b.Lock, stopped)
		r = d.report()
		r.crashing(kind)
		return d.x, r, nil
	case err != nil:
		r, err = run.unlearned(ctx, b.Lock, m.N, m, err, w)
		return nil, r, err
	case learned.Model.Heap != nil:
		r = newReport(b.Lock, m.N, m)
		r.Refused = "Lock or Unlock allocates memory that processes share, which is not modeled where processes crash"
		return nil, r, nil
	}
	sys := explore.NewSC(learned.Model)
	c := explore.NewCrashing(sys, kind)
	search.Keep = true
	g := explore.Run(ctx, c, search)
	w.lap(&w.Exploring)
	*stage = whileDeciding
	lock := explored.New(b.Lock, learned, execution.Crashing{Sys: c}, sys, g, search)
	x = lock.Complete()
	r = decideCrashes(ctx, x, c, kind)
	w.lap(&w.Analysing)
	return x, r, nil
}

// crashing adds verdicts on crashes of a kind to the report, all of them unknown.
func (r *Report) crashing(kind Crashes) {
	r.Crashes = &CrashVerdicts{Crashes: kind.String(), kind: kind, Reentry: Unknown, StrongStarvationFreedom: Unknown, StrongFCFS: Unknown, BoundedReentry: Unknown, BoundedRecovery: Unknown}
	r.mostCrashes = kind.Most
}

// decideCrashes decides the properties of a lock whose processes crash.
func decideCrashes(ctx context.Context, x *explored.Lock, sys *explore.Crashing, kind Crashes) *Report {
	d := &decided{x: x, safety: safety(x)}
	r := d.report()
	r.crashing(kind)
	c := r.Crashes
	c.Recovers = x.Model.Learner.M.Recovers()
	v := &crashing{x: x, r: r}
	id, bad := x.Graph.Bad[explore.Reentry]
	c.Reentry = unless(x, bad)
	if bad {
		t := traceOf(x, verdict.Reentry, reentered(sys, x.Graph.State(id)), x.Path(id), nil)
		t.Unclaimed = false
		v.add(t)
	}
	if x.Exhausted() {
		v.decide(crashes.New(x.Graph, sys), kind)
		c.RMR = crashReferences(ctx, x, sys)
	}
	for _, t := range r.Counterexamples {
		t.Crashes = kind.String()
	}
	return r
}

// crashing adds verdicts on liveness to a report.
type crashing struct {
	x *explored.Lock
	r *Report
}

func (v *crashing) add(t *trace.Trace) {
	t.Origin = v.x.Source.Origin
	v.r.Counterexamples = append(v.r.Counterexamples, t)
}

// on returns the verdict on a property. A lasso shows that the property is violated.
func (v *crashing) on(property, end string, l *crashes.Lasso) Verdict {
	if l != nil {
		v.add(traceOf(v.x, property, end, l.Prefix, l.Cycle))
	}
	return unless(v.x, l != nil)
}

// each returns the verdict on a property of each process.
func (v *crashing) each(property, end string, of func(pid int) *crashes.Lasso) (Verdict, []int) {
	fails := []int{}
	var first *crashes.Lasso
	for pid := range v.x.N {
		if l := of(pid); l != nil {
			if fails = append(fails, pid); first == nil {
				first = l
			}
		}
	}
	if first == nil {
		return v.on(property, "", nil), fails
	}
	return v.on(property, fmt.Sprintf("process %d %s", fails[0], end), first), fails
}

// bounded returns the verdict on a bound, and the bound.
func (v *crashing) bounded(property, end string, b crashes.Bound) (Verdict, *int) {
	return v.on(property, fmt.Sprintf("process %d %s", b.Pid, end), b.Lasso), new(b.Steps)
}

func (v *crashing) decide(s *crashes.Space, kind Crashes) {
	r, c := v.r, v.r.Crashes
	r.DeadlockFreedom = v.on(verdict.DeadlockFreedom, "no process ever enters again, though one is trying", s.Deadlock())
	r.StarvationFreedom, r.Starved = v.each(verdict.StarvationFreedom, "tries to enter forever", s.Starves)
	c.StrongStarvationFreedom = r.StarvationFreedom
	if !kind.System && kind.Most == 0 && r.StarvationFreedom != Violated {
		c.StrongStarvationFreedom, _ = v.each(verdict.StrongStarvationFreedom, "tries to enter forever, while others crash again and again", s.StarvesAmongCrashes)
	}
	v.order(s)
	r.ExitProgress, _ = v.each(verdict.ExitProgress, "stays in its exit section forever", s.StaysInExit)
	c.BoundedReentry, c.ReentrySteps = v.bounded(verdict.BoundedReentry, "does not come back to its critical section by its own steps", s.Reentry())
	exit := s.Exit()
	r.ExitWaitFree, c.ExitSteps = v.bounded(verdict.BoundedExit, "does not leave its exit section by its own steps", exit)
	if c.Recovers {
		c.BoundedRecovery, c.RecoverySteps = v.bounded(verdict.BoundedRecovery, "does not end Recover by its own steps", s.Recovery())
	} else {
		c.BoundedRecovery, c.RecoverySteps = unless(v.x, false), new(int)
	}
}

// order decides whether processes enter in the order of their doorways.
func (v *crashing) order(s *crashes.Space) {
	mark, ok := v.x.CrashDoorway()
	if !ok {
		v.r.FCFS, v.r.Crashes.StrongFCFS = NoDoorway, NoDoorway
		return
	}
	v.r.FCFS = v.overtaken(verdict.FirstComeFirstServed, "", s.Overtaking(mark, false))
	v.r.Crashes.StrongFCFS = v.r.FCFS
	if v.r.FCFS != Violated {
		v.r.Crashes.StrongFCFS = v.overtaken(verdict.StrongFirstComeFirstServed, ", and had not entered since, although it had crashed", s.Overtaking(mark, true))
	}
}

// overtaken returns the verdict on a property. An overtaking shows that the property is violated.
func (v *crashing) overtaken(property, more string, o *crashes.Overtaking) Verdict {
	if o == nil {
		return unless(v.x, false)
	}
	v.add(traceOf(v.x, property, passedBy(o.Second, o.First)+more, o.Path, nil))
	return unless(v.x, true)
}

// reentered says which processes are in their critical sections, and which processes crashed there.
func reentered(sys *explore.Crashing, state []uint64) string {
	var in, owed []int
	for pid := range sys.Model.N {
		if sys.Local(state, pid).Section == interp.Critical {
			in = append(in, pid)
		}
		if sys.Owed(state, pid) {
			owed = append(owed, pid)
		}
	}
	is, has := " is", " has"
	if len(in) > 1 {
		is = " are"
	}
	if len(owed) > 1 {
		has = " have"
	}
	return processes(in) + is + " in the critical section in which " + processes(owed) + has + " crashed"
}
