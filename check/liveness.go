package check

import (
	"fmt"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// livenessVerdicts are the verdicts on events that must eventually happen.
type livenessVerdicts struct {
	deadlock, starvation, exitProgress, exitWaitFree Verdict
	starved                                          []int
	traces                                           []*trace.Trace
	// unlucky are the properties that are violated only if nondeterministic choices are
	// unfortunate forever.
	unlucky []string
}

// liveness decides which events must eventually happen, on a graph whose states have all
// been visited.
func liveness(x *explored.Lock) *livenessVerdicts {
	v := &livenessVerdicts{starved: []int{}}
	explain := func(property string, l lasting) {
		if l.lasso == nil {
			return
		}
		if l.unlucky {
			v.unlucky = append(v.unlucky, property)
			l.end += ", if reads that overlap writes are unlucky forever"
		}
		v.traces = append(v.traces, lassoOf(x, property, l.end, l.lasso))
	}
	var deadlock, starved, stuck lasting
	deadlock.found(x, x.Space.Deadlock(), deadlocked)
	v.deadlock = unless(x, deadlock.lasso != nil)
	explain(verdict.DeadlockFreedom, deadlock)

	exitWaits := false
	for pid := range x.N {
		for s, l := range x.Learned.Model.Procs[pid].Local {
			exitWaits = exitWaits || l.Section == interp.Exit && x.Waits()[pid][s]
		}
		entry := x.Space.Stays(pid, interp.Entry, lockers(x)...)
		if entry != nil {
			v.starved = append(v.starved, pid)
		}
		starved.found(x, entry, fmt.Sprintf("process %d stays in its entry section forever", pid))
		exit := x.Space.Stays(pid, interp.Exit)
		stuck.found(x, exit, fmt.Sprintf("process %d stays in its exit section forever", pid))
	}
	v.exitProgress = unless(x, stuck.lasso != nil)
	v.starvation = unless(x, starved.lasso != nil)
	explain(verdict.ExitProgress, stuck)
	explain(verdict.StarvationFreedom, starved)
	v.exitWaitFree = unless(x, exitWaits)
	return v
}

// lockers returns the modes in which a process must eventually enter. nil means all
// modes.
func lockers(x *explored.Lock) []shm.Mode {
	if x.Source.Mixed {
		return []shm.Mode{shm.Exclusive}
	}
	return nil
}

// lasting is a lasso that shows that a property is violated, with a description.
type lasting struct {
	lasso   *analyse.Lasso
	end     string
	unlucky bool // nondeterministic choices on the way must be unfortunate forever
}

// found keeps a lasso: the first one, unless a later one needs no unfortunate choices.
func (l *lasting) found(x *explored.Lock, lasso *analyse.Lasso, end string) {
	if lasso == nil || l.lasso != nil && !l.unlucky {
		return
	}
	switch trap := x.Space.Trap(lasso); {
	case trap != nil:
		*l = lasting{trap, end, false}
	case l.lasso == nil:
		*l = lasting{lasso, end, true}
	}
}
