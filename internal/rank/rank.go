// Package rank makes tables of results that show which lock is the fastest,
// and at what price.
package rank

import (
	"cmp"
	"maps"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"shmbench/bench"
	"shmbench/internal/stat"
)

// Report is the rankings of a set of results.
type Report struct {
	Tables []Table // one for each workload, by number of processes
	// Machine has the medians of the machine's costs in ns, by operation, and
	// Null that of the null lock's passage, 0 if it was not measured.
	Machine map[string]float64
	Null    float64
}

// Table ranks the algorithms under one workload by the time of a passage.
type Table struct {
	Workload string // "procs=2 cs=0 ncs=0"
	Rows     []Row
}

// Row is one algorithm.
type Row struct {
	Algorithm string // as the catalogue has it
	Samples   int
	// NS is the time of a passage in ns.
	NS benchmath.Summary
	// Times is NS as a multiple of the first row's.
	Times float64
	// P is the p-value, after Holm's correction over the table, of the
	// algorithm being no slower than the first row's; 1 in the first row.
	P float64
	// Values has the medians of everything measured, by tidied unit.
	Values map[string]float64
}

// New ranks the algorithms in the results.
func New(results []*benchfmt.Result) *Report {
	samples := map[bench.Workload]map[string][]*benchfmt.Result{}
	var null []float64
	costs := map[string][]float64{}
	for _, r := range results {
		seconds, _ := r.Value("sec/op")
		algorithm, w, ok := bench.ParseName(r.Name)
		op, machine := bench.ParseCost(r.Name)
		switch {
		case machine:
			costs[op] = append(costs[op], seconds*1e9)
		case bench.IsNull(algorithm):
			null = append(null, seconds*1e9)
		case ok:
			if samples[w] == nil {
				samples[w] = map[string][]*benchfmt.Result{}
			}
			samples[w][algorithm] = append(samples[w][algorithm], r)
		}
	}
	report := &Report{Machine: map[string]float64{}}
	for op, ns := range costs {
		report.Machine[op] = stat.Summary(ns).Center
	}
	if null != nil {
		report.Null = stat.Summary(null).Center
	}
	for _, w := range slices.SortedFunc(maps.Keys(samples), byWorkload) {
		report.Tables = append(report.Tables, newTable(w.String(), samples[w]))
	}
	return report
}

func byWorkload(a, b bench.Workload) int {
	return cmp.Or(cmp.Compare(a.Procs, b.Procs), cmp.Compare(a.CS, b.CS), cmp.Compare(a.NCS, b.NCS), cmp.Compare(a.Rate, b.Rate))
}

func newTable(workload string, samples map[string][]*benchfmt.Result) Table {
	t := Table{Workload: workload}
	times := map[string][]float64{}
	for name, results := range samples {
		values := map[string][]float64{}
		for _, r := range results {
			for _, v := range r.Values {
				values[v.Unit] = append(values[v.Unit], v.Value)
			}
		}
		row := Row{Algorithm: name, Samples: len(results), Values: map[string]float64{}}
		for unit, v := range values {
			row.Values[unit] = stat.Summary(v).Center
		}
		for _, seconds := range values["sec/op"] {
			times[name] = append(times[name], seconds*1e9)
		}
		row.NS = stat.Summary(times[name])
		t.Rows = append(t.Rows, row)
	}
	slices.SortFunc(t.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.NS.Center, b.NS.Center), cmp.Compare(a.Algorithm, b.Algorithm))
	})
	best := t.Rows[0]
	p := make([]float64, len(t.Rows)-1)
	for i, row := range t.Rows[1:] {
		p[i] = stat.Differ(times[best.Algorithm], times[row.Algorithm])
	}
	p = append([]float64{1}, stat.Holm(p)...)
	for i := range t.Rows {
		t.Rows[i].Times = t.Rows[i].NS.Center / best.NS.Center
		t.Rows[i].P = p[i]
	}
	return t
}
