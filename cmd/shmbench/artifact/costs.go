package artifact

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/results/stat"
)

// Cost is the time of a passage of a lock with some processes, in ns: a median with its interval.
type Cost struct {
	Lock           string
	Procs          int
	Center, Lo, Hi float64
	values         []float64
}

// Costs are the costs in a file of results, by processes and then as they come.
func Costs(results []*benchfmt.Result) (all []Cost) {
	for _, r := range results {
		lock, load, ok := bench.ParseName(r.Name)
		sec, has := r.Value("sec/op")
		if !ok || !has {
			continue
		}
		i := slices.IndexFunc(all, func(c Cost) bool { return c.Lock == lock && c.Procs == load.Procs })
		if i < 0 {
			i, all = len(all), append(all, Cost{Lock: lock, Procs: load.Procs})
		}
		all[i].values = append(all[i].values, sec*1e9)
	}
	for i := range all {
		s := stat.Summary(all[i].values)
		all[i].Center, all[i].Lo, all[i].Hi = s.Center, s.Lo, s.Hi
	}
	slices.SortStableFunc(all, func(a, b Cost) int { return a.Procs - b.Procs })
	return all
}

// Comparison is a lock beside another one with as many processes.
type Comparison struct {
	Lock, Against string
	Procs         int
	Ratio         float64 // of the medians
	P             float64 // of the Mann-Whitney test, corrected for all comparisons
	Apart         int     // -1 if the interval of the lock lies below the other one, 1 above, 0 if they overlap
}

// Compare compares a lock with all others.
func Compare(costs []Cost, lock string) (all []Comparison) {
	var p []float64
	for _, a := range costs {
		for _, b := range costs {
			if a.Lock != lock || b.Lock == lock || a.Procs != b.Procs || bench.IsNull(b.Lock) {
				continue
			}
			c := Comparison{Lock: lock, Against: b.Lock, Procs: a.Procs, Ratio: a.Center / b.Center}
			if a.Hi < b.Lo {
				c.Apart = -1
			} else if b.Hi < a.Lo {
				c.Apart = 1
			}
			all, p = append(all, c), append(p, stat.Differ(a.values, b.values))
		}
	}
	for i, corrected := range stat.Holm(p) {
		all[i].P = corrected
	}
	return all
}

// Reversed says which orders are reversed beyond the intervals.
func Reversed(before, after []Comparison) (says []string) {
	for _, b := range before {
		for _, a := range after {
			if a.Against == b.Against && a.Procs == b.Procs && a.Apart*b.Apart < 0 {
				says = append(says, fmt.Sprintf("%s and %s with %d processes: the medians had the ratio %.3g, and have %.3g, and neither time the intervals overlap",
					b.Lock, b.Against, b.Procs, b.Ratio, a.Ratio))
			}
		}
	}
	return says
}

// Prediction is what a model of this machine says of a lock, beside the measurement.
type Prediction struct {
	Lock                string
	Procs               int
	Measured, Predicted float64 // medians in ns for each passage
}

// Error is the error of a prediction relative to the measurement: 0.25 if it is 25 % too large.
func (p Prediction) Error() float64 { return p.Predicted/p.Measured - 1 }

// Predictions pairs what was predicted with what was measured of the same lock and processes.
func Predictions(measured, predicted []Cost) (all []Prediction) {
	for _, m := range measured {
		for _, p := range predicted {
			if m.Lock == p.Lock && m.Procs == p.Procs && m.Center > 0 {
				all = append(all, Prediction{m.Lock, m.Procs, m.Center, p.Center})
			}
		}
	}
	return all
}

// Errors returns the median and the largest of the absolute relative errors of one or more predictions.
func Errors(all []Prediction) (median, largest float64) {
	errors := make([]float64, len(all))
	for i, p := range all {
		errors[i] = math.Abs(p.Error())
	}
	return stat.Summary(errors).Center, slices.Max(errors)
}
