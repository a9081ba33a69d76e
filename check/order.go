package check

import (
	"fmt"

	"shmbench/check/internal/analyse"
)

// orderVerdicts are on who can pass whom.
type orderVerdicts struct {
	fcfs, doorwayWaitFree   Verdict
	bypass, bypassFromStart *int // bypass is nil if no doorway is known
	traces                  []*Trace
}

// order decides who can pass whom. waits is that of livenessVerdicts.
func order(x *explored, waits [][]bool) *orderVerdicts {
	v := &orderVerdicts{bypassFromStart: new(int)}
	doorway, waitFree := doorways(x, waits)
	most, overtaken := new(int), false
	for pid, b := range x.space.Bypasses(doorway) {
		v.bypassFromStart, most = larger(v.bypassFromStart, b.FromStart), larger(most, b.PastDoorway)
		overtaken = overtaken || b.Overtaken
		if b.Cycle != nil && v.traces == nil {
			v.traces = append(v.traces, x.lasso(BoundedBypass, fmt.Sprintf("process %d, past its doorway, is passed for ever", pid), b.Cycle))
		}
	}
	v.doorwayWaitFree = x.unless(!waitFree)
	if doorway == nil {
		v.fcfs = NoDoorway
		return v
	}
	v.bypass, v.fcfs = most, x.unless(overtaken)
	if overtaken {
		o := x.space.Overtaking(doorway)
		v.traces = append(v.traces, x.trace(FirstComeFirstServed,
			fmt.Sprintf("process %d enters before process %d, which had ended its doorway before %d began", o.Second, o.First, o.Second),
			append(x.graph.Path(o.From), o.Path...), nil))
	}
	return v
}

// larger returns the larger of two bounds.
func larger(a *int, b int) *int {
	if *a == analyse.Unbounded || b == analyse.Unbounded {
		b = analyse.Unbounded
	} else {
		b = max(*a, b)
	}
	return &b
}
