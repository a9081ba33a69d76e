package check

import (
	"fmt"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/interp"
)

// livenessVerdicts are on what must happen some time.
type livenessVerdicts struct {
	deadlock, starvation, exitProgress, exitWaitFree Verdict
	starved                                          []int
	traces                                           []*Trace
	// waits tells of the local states of each process in which it can be kept:
	// it steps from them on a cycle in its entry section.
	waits [][]bool
}

// liveness decides what must happen some time, on a graph of which every state
// was visited.
func liveness(x *explored) *livenessVerdicts {
	v := &livenessVerdicts{starved: []int{}, waits: make([][]bool, x.n)}
	explain := func(property, end string, l *analyse.Lasso) {
		if l != nil {
			v.traces = append(v.traces, x.lasso(property, end, l))
		}
	}
	lasso := x.space.Deadlock()
	v.deadlock = x.unless(lasso != nil)
	explain(DeadlockFreedom, "nobody ever enters again, though somebody is trying", lasso)

	var starved, stuck *analyse.Lasso
	exitWaits := false
	for pid := range x.n {
		waits := make([]bool, len(x.lock.Model.Procs[pid].Local))
		v.waits[pid] = waits
		entry := x.space.Stays(pid, interp.Entry, func(id uint32) { waits[x.sys.Procs[pid].Of(x.graph.State(id))] = true })
		if entry != nil {
			v.starved = append(v.starved, pid)
			if starved == nil {
				starved = entry
			}
		}
		exit := x.space.Stays(pid, interp.Exit, func(uint32) { exitWaits = true })
		if exit != nil && stuck == nil {
			stuck = exit
			explain(ExitProgress, fmt.Sprintf("process %d stays in its exit section for ever", pid), exit)
		}
	}
	v.exitProgress = x.unless(stuck != nil)
	v.starvation = x.unless(starved != nil)
	if starved != nil {
		explain(StarvationFreedom, fmt.Sprintf("process %d stays in its entry section for ever", v.starved[0]), starved)
	}
	v.exitWaitFree = x.unless(exitWaits)
	return v
}
