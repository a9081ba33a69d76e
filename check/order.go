package check

import (
	"fmt"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// orderVerdicts are on the order in which processes enter.
type orderVerdicts struct {
	fcfs, doorwayWaitFree   Verdict
	doorwayEnds             bool
	bypass, bypassFromStart *int // bypass is nil if no doorway is known
	placed                  *int // nil if the specification claims no place
	traces                  []*trace.Trace
}

// order decides which process can pass which other one.
func order(x *explored.Lock) *orderVerdicts {
	b := bypassIn(x, shm.Exclusive)
	v := &orderVerdicts{doorwayWaitFree: b.waitFree, doorwayEnds: x.DoorwayEnds(), bypass: b.most, bypassFromStart: b.fromStart}
	if b.cycle != nil {
		v.traces = append(v.traces, lassoOf(x, verdict.BoundedBypass, fmt.Sprintf("process %d, past its doorway, is passed forever", b.passed), b.cycle))
	}
	if place := places(x); place != nil {
		v.placed = new(int)
		for _, b := range x.Space.Bypasses(place, shm.Exclusive) {
			v.placed = larger(v.placed, b.PastDoorway)
		}
	}
	switch {
	case x.Source.Mixed:
		v.fcfs = OfLockAlone
		return v
	case b.doorway == nil:
		v.fcfs = NoDoorway
		return v
	}
	v.fcfs = unless(x, b.overtaken)
	if b.overtaken {
		o := x.Space.Overtaking(b.doorway)
		v.traces = append(v.traces, traceOf(x, verdict.FirstComeFirstServed,
			passedBy(o.Second, o.First), append(x.Graph.Path(o.From), o.Path...), nil))
	}
	return v
}

// passedBy says that a process enters before one that had ended its doorway when the first began.
func passedBy(second, first int) string {
	return fmt.Sprintf("process %d enters before process %d, which had ended its doorway before %d began", second, first, second)
}

// bypass says how often, and in which order, other processes can pass those in a mode.
type bypass struct {
	doorway         [][]bool // nil if none is known
	waitFree        Verdict
	most, fromStart *int // most is nil if no doorway is known
	overtaken       bool
	passed          int // the process that is passed on the cycle
	cycle           *analyse.Lasso
}

// bypassIn finds the bypass of processes in a mode.
func bypassIn(x *explored.Lock, mode shm.Mode) *bypass {
	doorway, waitFree := x.Doorways(mode)
	b := &bypass{doorway: doorway, waitFree: unless(x, !waitFree), fromStart: new(int), most: new(int)}
	for pid, p := range x.Space.Bypasses(doorway, mode) {
		b.fromStart, b.most = larger(b.fromStart, p.FromStart), larger(b.most, p.PastDoorway)
		b.overtaken = b.overtaken || p.Overtaken
		if p.Cycle != nil && b.cycle == nil {
			b.passed, b.cycle = pid, p.Cycle
		}
	}
	if doorway == nil {
		b.most = nil
	}
	return b
}

// larger returns the larger of two bounds.
func larger(a *int, b int) *int {
	if *a == shm.Unbounded || b == shm.Unbounded {
		b = shm.Unbounded
	} else {
		b = max(*a, b)
	}
	return &b
}

// places returns, by process, the local states past the place that the specification claims. It
// returns nil if the specification claims no place.
func places(x *explored.Lock) (past [][]bool) {
	if x.Source.Spec == nil || x.Source.Mixed || x.Source.Spec.Claims.Place == "" {
		return nil
	}
	for _, p := range x.Learned.Model.Procs {
		of := make([]bool, len(p.Local))
		for s, l := range p.Local {
			of[s] = l.Mark&automaton.PastPlace != 0
		}
		past = append(past, of)
	}
	return past
}
