package bench

import (
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// Line is what one line of the Go benchmark format says.
type Line struct {
	Name       string  `json:"name"` // without "Benchmark"
	Iterations uint64  `json:"iterations"`
	Values     []Value `json:"values"`
}

// Line returns the sample's line.
func (s *Sample) Line() Line {
	return Line{s.Workload.Name(s.Algorithm), s.Passages, s.Values}
}

// Line returns the cost's line.
func (c Cost) Line() Line {
	return Line{c.Name(), trials * operations, []Value{{c.NS, nsPerOp}}}
}

// Result returns the line as x/perf reads it: in base units, seconds for ns,
// beside the original ones, and without configuration.
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
	return r
}
