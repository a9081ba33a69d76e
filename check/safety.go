package check

import (
	"fmt"
	"strings"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// safetyVerdicts are on what must hold in each state by itself.
type safetyVerdicts struct {
	exclusion, races, panics Verdict
	traces                   []*Trace
}

// safety decides what must hold in each state by itself.
func safety(x *explored) safetyVerdicts {
	var v safetyVerdicts
	found := func(bad explore.Bad, property string, end func(id uint32) string) Verdict {
		id, ok := x.graph.Bad[bad]
		if ok {
			v.traces = append(v.traces, x.trace(property, end(id), x.path(id), nil))
		}
		return x.unless(ok)
	}
	v.panics = found(explore.Crash, PanicFreedom, func(id uint32) string {
		pid, f := x.crashed(id)
		return fmt.Sprintf("process %d: %v", pid, f)
	})
	v.exclusion = found(explore.Exclusion, MutualExclusion, func(id uint32) string {
		var in []int
		for pid := range x.n {
			if x.section(x.graph.State(id), pid) == interp.Critical {
				in = append(in, pid)
			}
		}
		return fmt.Sprintf("%s are in their critical sections at once", processes(in))
	})
	v.races = found(explore.Race, DataRaceFreedom, x.racers)
	return v
}

// processes lists processes in words.
func processes(pids []int) string {
	if len(pids) == 1 {
		return fmt.Sprintf("process %d", pids[0])
	}
	return "processes " + list(strings.Fields(strings.Trim(fmt.Sprint(pids), "[]")))
}
