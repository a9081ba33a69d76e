package bench

import (
	"fmt"
	"strconv"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"shmbench/internal/cli/words"
)

// Line is the content of one line of the Go benchmark format.
type Line struct {
	Name       string  `json:"name"` // without "Benchmark"
	Iterations uint64  `json:"iterations"`
	Values     []Value `json:"values"`
	// Fork is the number, from 1, of the program that measured the line, if several
	// programs measured. Otherwise Fork is 0.
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

// ForkKey is the provenance key that says which of several programs measured a
// result.
const ForkKey = "fork"

// Result returns the line as x/perf reads it. It has values in base units, such as
// seconds for ns, beside the original values. It has no configuration except
// ForkKey.
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

// leastReached is the share of an open loop's time whose arrivals must have been
// served. With less, the loop did not reach its rate.
const leastReached = 0.95

// Doubt says in a few words why a result must not be ranked with others. It is
// empty if there is no reason.
func Doubt(r *benchfmt.Result) string {
	if least, ok := r.Value(leastPassages); ok {
		return "a process made only " + words.Counted(int(least), "passage", "passages")
	}
	if part, _ := r.Value(reached); Behind(r) {
		return fmt.Sprintf("only %.0f%% of the rate was reached, so that latency grows with -d", 100*part)
	}
	return ""
}

// Behind reports whether r belongs to an open loop that did not reach its rate. The
// lock is then saturated.
func Behind(r *benchfmt.Result) bool {
	part, ok := r.Value(reached)
	return ok && part < leastReached
}

// RankUnit returns the unit by which results under a workload are ranked, with its
// name in x/perf. In an open loop it is the mean latency, because there the time of
// a passage is the gap between arrivals.
func RankUnit(w Workload) string {
	unit := nsPerOp
	if w.Rate > 0 {
		unit = meanLatency
	}
	_, unit = benchunit.Tidy(1, unit)
	return unit
}
