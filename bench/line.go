package bench

import (
	"fmt"
	"strconv"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// Line is what one line of the Go benchmark format says.
type Line struct {
	Name       string  `json:"name"` // without "Benchmark"
	Iterations uint64  `json:"iterations"`
	Values     []Value `json:"values"`
	// Fork is the number, from 1, of the program in which it was measured, where
	// there were several.
	Fork int `json:"fork,omitempty"`
}

// Line returns the sample's line.
func (s *Sample) Line() Line {
	return Line{Name: s.Workload.Name(s.Algorithm), Iterations: s.Passages, Values: s.Values}
}

// Line returns the cost's line.
func (c Cost) Line() Line {
	return Line{Name: c.Name(), Iterations: trials * operations, Values: []Value{{c.NS, nsPerOp}}}
}

// ForkKey is the key of the provenance that says in which of several programs a
// result was measured.
const ForkKey = "fork"

// Result returns the line as x/perf reads it: in base units, seconds for ns,
// beside the original ones, and with no configuration except ForkKey.
func (l Line) Result() *benchfmt.Result {
	r := &benchfmt.Result{Name: benchfmt.Name(l.Name), Iters: int(l.Iterations)}
	for _, v := range l.Values {
		value, unit := benchunit.Tidy(v.Value, v.Unit)
		if unit == v.Unit {
			r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: unit})
		} else {
			r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: unit, OrigValue: v.Value, OrigUnit: v.Unit})
		}
	}
	if l.Fork > 0 {
		r.Config = []benchfmt.Config{{Key: ForkKey, Value: strconv.AppendInt(nil, int64(l.Fork), 10)}}
	}
	return r
}

// leastReached is the part of an open loop's time whose arrivals must have been
// served for the rate to count as reached.
const leastReached = 0.95

// Doubt says why a result is not to be ranked with others, in a few words; it is
// empty where there is no reason.
func Doubt(r *benchfmt.Result) string {
	if least, ok := r.Value(leastPassages); ok {
		return fmt.Sprintf("a process made only %.0f passages", least)
	}
	if part, _ := r.Value(reached); Behind(r) {
		return fmt.Sprintf("only %.0f%% of the rate was reached, so that latency grows with -d", 100*part)
	}
	return ""
}

// Behind reports whether r is of an open loop that did not reach its rate: the
// lock is saturated.
func Behind(r *benchfmt.Result) bool {
	part, ok := r.Value(reached)
	return ok && part < leastReached
}

// RankUnit is the unit by which results under a workload are ranked, as x/perf
// has it: in an open loop, where the time of a passage is the gap between
// arrivals, the mean latency.
func RankUnit(w Workload) string {
	unit := nsPerOp
	if w.Rate > 0 {
		unit = meanLatency
	}
	_, unit = benchunit.Tidy(1, unit)
	return unit
}
