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
	v := new(orderVerdicts)
	v.bypassFromStart, _, _ = bypass(x, nil)
	past, waitFree := doorways(x, waits)
	v.doorwayWaitFree = x.unless(!waitFree)
	if past == nil {
		v.fcfs = NoDoorway
		return v
	}
	waiting := x.space.Waiting(func(state []uint64, pid int) bool { return past[pid][x.sys.Procs[pid].Of(state)] })
	most, pid, lasso := bypass(x, waiting)
	if v.bypass = most; lasso != nil {
		v.traces = append(v.traces, x.lasso(BoundedBypass, fmt.Sprintf("process %d, past its doorway, is passed for ever", pid), lasso))
	}
	o := x.space.Overtaking(waiting)
	if v.fcfs = x.unless(o != nil); o != nil {
		v.traces = append(v.traces, x.trace(FirstComeFirstServed,
			fmt.Sprintf("process %d enters before process %d, which had ended its doorway before %d began", o.Second, o.First, o.Second),
			append(x.space.Path(o.From), o.Path...), nil))
	}
	return v
}

// bypass returns the most critical sections of others that can begin while a
// process waits, or, without waiting, while it is in its entry section; if there
// is no bound, for which process, and the cycle.
func bypass(x *explored, waiting analyse.Waiting) (most *int, pid int, lasso *analyse.Lasso) {
	most = new(int)
	for pid := range x.n {
		k, lasso := x.space.Bypass(pid, waiting)
		if lasso != nil {
			return &k, pid, lasso
		}
		*most = max(*most, k)
	}
	return most, 0, nil
}
