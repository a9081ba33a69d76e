package bench

import (
	"golang.org/x/perf/benchfmt"

	"shmbench/internal/machine/topo"
)

// quietName is the name of the benchmark that says how quiet the machine was in a round.
const quietName = "Quiet"

// quiet returns the line about the round between two moments. It returns false if
// the platform reports nothing.
func quiet(before, after topo.Times) (Line, bool) {
	l := Line{Name: quietName, Iterations: 1}
	if load, ok := after.Since(before); ok {
		l.Values = append(l.Values, Value{load.Others, otherLoad}, Value{load.Stolen, stolen})
	}
	if slowest, fastest := topo.MHz(); slowest > 0 {
		l.Values = append(l.Values, Value{slowest, slowestMHz}, Value{fastest, fastestMHz})
	}
	return l, l.Values != nil
}

// Quiet says how quiet the machine was in a round, as the kernel reports it. Values
// that the kernel does not report are negative.
type Quiet struct {
	Others, Stolen   float64 // parts of the processors' time
	Slowest, Fastest float64 // MHz
}

// ParseQuiet returns the Quiet of a result. It returns false for results about
// other things.
func ParseQuiet(r *benchfmt.Result) (q Quiet, ok bool) {
	if string(r.Name.Base()) != quietName {
		return q, false
	}
	for unit, v := range map[string]*float64{otherLoad: &q.Others, stolen: &q.Stolen, slowestMHz: &q.Slowest, fastestMHz: &q.Fastest} {
		if *v, ok = r.Value(unit); !ok {
			*v = -1
		}
	}
	return q, true
}
