package check

import (
	"context"
	"errors"
	"fmt"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/crashes"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
)

// errCrashingAllocates is why a lock is undecided where processes crash.
var errCrashingAllocates = errors.New("Lock or Unlock allocates memory that processes share, which is not modeled where processes crash")

// crashVerdicts are the verdicts that are asked only where processes crash, and all traces
// except those to single states that are bad without crashes too.
type crashVerdicts struct {
	CrashVerdicts
	traces []*trace.Trace
}

// newCrashVerdicts returns verdicts that are all unknown.
func newCrashVerdicts(kind Crashes) *crashVerdicts {
	return &crashVerdicts{CrashVerdicts: CrashVerdicts{Crashes: kind.String(), kind: kind, Reentry: Unknown,
		StrongStarvationFreedom: Unknown, StrongFCFS: Unknown, BoundedReentry: Unknown, BoundedRecovery: Unknown}}
}

// decideCrashes explores a lock whose processes crash, and decides its properties. It finds RMR if
// costs are asked for.
func decideCrashes(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options, costs bool) (*verdicts, error) {
	if learned.Model.Heap != nil {
		return nil, errCrashingAllocates
	}
	x := explored.Crashing(ctx, l, learned, opts).Complete()
	sys := x.Graph.Sys.(*explore.Crashing)
	v := &crashing{x: x, crashVerdicts: newCrashVerdicts(*l.Crashes)}
	v.Recovers = learned.Learner.M.Recovers()
	d := &verdicts{x: x, safety: safety(x), crashes: v.crashVerdicts}
	id, bad := x.Graph.Bad[explore.Reentry]
	v.Reentry = unless(x, bad)
	if bad {
		v.add(traceOf(x, verdict.Reentry, reentered(sys, x.Graph.State(id)), x.Graph.Path(id), nil))
	}
	if x.Exhausted() && !d.blank() {
		d.liveness, d.order = v.decide(crashes.New(x.Graph, sys))
	}
	if x.Exhausted() && !d.blank() && costs {
		v.RMR = crashReferences(ctx, x, sys)
	}
	return d, nil
}

// crashing decides what happens to a lock whose processes crash, and keeps the traces.
type crashing struct {
	x *explored.Lock
	*crashVerdicts
}

func (v *crashing) add(t *trace.Trace) { v.traces = append(v.traces, t) }

// on returns the verdict on a property. A lasso shows that the property is violated.
func (v *crashing) on(property, end string, l *crashes.Lasso) Verdict {
	if l != nil {
		v.add(traceOf(v.x, property, end, l.Prefix, l.Cycle))
	}
	return unless(v.x, l != nil)
}

// each returns the verdict on a property of each process, and the processes that lack it.
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
		return unless(v.x, false), fails
	}
	return v.on(property, fmt.Sprintf("process %d %s", fails[0], end), first), fails
}

// bounded returns the verdict on a bound, and the bound.
func (v *crashing) bounded(property, end string, b crashes.Bound) (Verdict, *int) {
	return v.on(property, fmt.Sprintf("process %d %s", b.Pid, end), b.Lasso), new(b.Steps)
}

// decide decides all properties of executions.
func (v *crashing) decide(s *crashes.Space) (*livenessVerdicts, *orderVerdicts) {
	live := new(livenessVerdicts)
	live.deadlock = v.on(verdict.DeadlockFreedom, deadlocked, s.Deadlock())
	live.starvation, live.starved = v.each(verdict.StarvationFreedom, "tries to enter forever", s.Starves)
	v.StrongStarvationFreedom = live.starvation
	if !v.kind.System && v.kind.Most == 0 && live.starvation != Violated {
		v.StrongStarvationFreedom, _ = v.each(verdict.StrongStarvationFreedom, "tries to enter forever, while others crash again and again", s.StarvesAmongCrashes)
	}
	order := v.order(s)
	live.exitProgress, _ = v.each(verdict.ExitProgress, "stays in its exit section forever", s.StaysInExit)
	v.BoundedReentry, v.ReentrySteps = v.bounded(verdict.BoundedReentry, "does not come back to its critical section by its own steps", s.Reentry())
	live.exitWaitFree, v.ExitSteps = v.bounded(verdict.BoundedExit, "does not leave its exit section by its own steps", s.Exit())
	if v.Recovers {
		v.BoundedRecovery, v.RecoverySteps = v.bounded(verdict.BoundedRecovery, "does not end Recover by its own steps", s.Recovery())
	} else {
		v.BoundedRecovery, v.RecoverySteps = unless(v.x, false), new(int)
	}
	return live, order
}

// order decides whether processes enter in the order of their doorways.
func (v *crashing) order(s *crashes.Space) *orderVerdicts {
	mark, ok := v.x.CrashDoorway()
	if !ok {
		v.StrongFCFS = NoDoorway
		return &orderVerdicts{fcfs: NoDoorway, doorwayWaitFree: Unknown}
	}
	fcfs := v.overtaken(verdict.FirstComeFirstServed, "", s.Overtaking(mark, false))
	v.StrongFCFS = fcfs
	if fcfs != Violated {
		v.StrongFCFS = v.overtaken(verdict.StrongFirstComeFirstServed, ", and had not entered since, although it had crashed", s.Overtaking(mark, true))
	}
	return &orderVerdicts{fcfs: fcfs, doorwayWaitFree: Unknown}
}

// overtaken returns the verdict on a property. An overtaking shows that the property is violated.
func (v *crashing) overtaken(property, more string, o *analyse.Overtaking) Verdict {
	if o != nil {
		v.add(traceOf(v.x, property, passedBy(o.Second, o.First)+more, append(v.x.Graph.Path(o.From), o.Path...), nil))
	}
	return unless(v.x, o != nil)
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
