package check

import (
	"fmt"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
)

// safetyVerdicts are the verdicts on properties of single states.
type safetyVerdicts struct {
	exclusion, races, panics Verdict
	outcomes                 Verdict // of Recover, empty if the lock has none
	traces                   []*trace.Trace
}

// safety decides the properties of single states.
func safety(x *explored.Lock) safetyVerdicts {
	met := map[explore.Bad][]int{}
	for _, bad := range []explore.Bad{explore.Panic, explore.Outcome, explore.Exclusion, explore.Race} {
		if id, ok := x.Graph.Bad[bad]; ok {
			met[bad] = x.Graph.Path(id)
		}
	}
	return judged(x, met)
}

// judged decides the properties of single states. The map met has a shortest schedule to each kind
// of bad state that was found.
func judged(x *explored.Lock, met map[explore.Bad][]int) safetyVerdicts {
	var v safetyVerdicts
	found := func(bad explore.Bad, property string, end func([]*interp.State) string) Verdict {
		schedule, ok := met[bad]
		if ok {
			v.traces = append(v.traces, traceOf(x, property, end(localAfter(x, schedule)), schedule, nil))
		}
		return unless(x, ok)
	}
	v.panics = found(explore.Panic, verdict.PanicFreedom, func(local []*interp.State) string { return failed(local, false) })
	if x.Learned.Learner.M.Recovers() {
		v.outcomes = found(explore.Outcome, verdict.RecoverResult, func(local []*interp.State) string { return failed(local, true) })
	}
	v.exclusion = found(explore.Exclusion, verdict.MutualExclusion, func(local []*interp.State) string {
		var in []int
		for pid, st := range local {
			if st.Section == interp.Critical {
				in = append(in, pid)
			}
		}
		return fmt.Sprintf("%s are in their critical sections at once", processes(in))
	})
	v.races = found(explore.Race, verdict.DataRaceFreedom, func(local []*interp.State) string { return racers(x, local) })
	return v
}

// failed says which process cannot go on, and why: after a result of Recover, or a panic.
func failed(local []*interp.State, outcome bool) string {
	for pid, st := range local {
		if st.Fault != nil && !st.Fault.Refused && st.Fault.Outcome == outcome {
			return fmt.Sprintf("process %d: %v", pid, st.Fault)
		}
	}
	panic("check: internal error: no process has failed in a state in which one has")
}

// racers says which two accesses conflict.
func racers(x *explored.Lock, local []*interp.State) string {
	for p, a := range local {
		for q, b := range local[:p] {
			kinds := automaton.Kind(a) | automaton.Kind(b)
			if a.Access == nil || b.Access == nil || a.Access.At != b.Access.At ||
				kinds&automaton.Plain == 0 || kinds&automaton.Writes == 0 {
				continue
			}
			return fmt.Sprintf("process %d is about to %s and process %d to %s", q, about(x, b), p, about(x, a))
		}
	}
	return "two accesses conflict"
}

// about says what a process will do next.
func about(x *explored.Lock, st *interp.State) string {
	pos, _ := x.Learned.Learner.M.Place(st)
	file, line := x.Learned.Learner.M.Prog.Place(pos)
	how := ""
	if st.Access.Plain {
		how = "plainly "
	}
	return fmt.Sprintf("%s%s %s (%s:%d)", how, st.Access.Op, x.Names.Cell(st.Access.At), file, line)
}

// processes lists processes in words.
func processes(pids []int) string {
	if len(pids) == 1 {
		return fmt.Sprintf("process %d", pids[0])
	}
	return "processes " + verdict.List(strings.Fields(strings.Trim(fmt.Sprint(pids), "[]")))
}
