// Package rank makes tables of results that show which lock is the fastest,
// and at what price.
package rank

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/results/stat"
)

// Report is the rankings of a set of results.
type Report struct {
	Tables []Table // one for each workload, by number of processes
	// Machine has the medians of the machine's costs in ns, by operation. Null is the median
	// of the null lock's passage, 0 if it was not measured.
	Machine map[string]float64
	Null    float64
	// Pair says between which two processors a cache line was transferred; empty
	// if that is not known.
	Pair string
	// Quiet says whether the machine was quiet, and why; empty if nothing is known.
	Quiet string
	// Noise is what Noise says of the results. If it is not empty, no lock is called the fastest.
	Noise string
	// Traits distinguish locks that are within noise of one another.
	Traits []Trait
}

// Table ranks the algorithms under one workload by the time of a passage, and in
// an open loop by mean latency. Rows that are not ranked come last.
type Table struct {
	Workload bench.Workload
	Rows     []Row
}

// Row is one algorithm.
type Row struct {
	Algorithm string // as the catalog has it
	Samples   int
	// Doubtful is how many samples are not to be ranked, and Doubt says why for
	// the last of them. They are left out, unless they are half of all or more, or
	// the others are too few for an interval: then the row has all samples, and no
	// rank.
	Doubtful int
	Doubt    string
	Ranked   bool
	// NS is what the row is ranked by, in ns.
	NS benchmath.Summary
	// Times is NS as a multiple of the first row's.
	Times float64
	// P is the p-value, after Holm's correction over the table, of the
	// algorithm being no slower than the first row's; 1 in the first row.
	P float64
	// Values has the medians of everything measured, by tidied unit.
	Values map[string]float64
	// All has the samples that they are the medians of.
	All map[string][]float64
}

// New ranks the algorithms in the results.
func New(results []*benchfmt.Result) *Report {
	samples := map[bench.Workload]map[string][]*benchfmt.Result{}
	null := map[bool][]float64{} // by Workload.Touch
	costs := map[string][]float64{}
	for _, r := range benchfile.ByFork(results) {
		seconds, _ := r.Value("sec/op")
		algorithm, w, ok := bench.ParseName(r.Name)
		op, machine := bench.ParseCost(r.Name)
		switch {
		case machine:
			costs[op] = append(costs[op], seconds*1e9)
		case bench.IsNull(algorithm):
			null[w.Touch] = append(null[w.Touch], seconds*1e9)
		case ok:
			if samples[w] == nil {
				samples[w] = map[string][]*benchfmt.Result{}
			}
			samples[w][algorithm] = append(samples[w][algorithm], r)
		}
	}
	report := &Report{Machine: map[string]float64{}, Quiet: quiet(results, slices.Clone(costs[bench.Transfer])), Noise: Noise(results)}
	for op, ns := range costs {
		report.Machine[op] = stat.Summary(ns).Center
	}
	for _, w := range slices.SortedFunc(maps.Keys(samples), byWorkload) {
		report.Tables = append(report.Tables, newTable(w, samples[w]))
	}
	if ns := null[len(report.Tables) > 0 && report.Tables[0].Workload.Touch]; ns != nil {
		report.Null = stat.Summary(ns).Center
	}
	return report
}

func byWorkload(a, b bench.Workload) int {
	return cmp.Or(cmp.Compare(a.Procs, b.Procs), cmp.Compare(a.CS, b.CS), cmp.Compare(a.NCS, b.NCS), cmp.Compare(a.Lines, b.Lines), cmp.Compare(a.Rate, b.Rate), cmp.Compare(a.Readers, b.Readers),
		strings.Compare(a.Name(""), b.Name("")))
}

func newTable(w bench.Workload, samples map[string][]*benchfmt.Result) Table {
	t := Table{Workload: w}
	times := map[string][]float64{}
	for name, results := range samples {
		row := newRow(name, results)
		for _, r := range row.samples {
			if seconds, ok := r.Value(bench.RankUnit(w)); ok {
				times[name] = append(times[name], seconds*1e9)
			}
		}
		if times[name] == nil {
			continue
		}
		row.NS = stat.Summary(times[name])
		t.Rows = append(t.Rows, row.Row)
	}
	unranked := func(r Row) int {
		if r.Ranked {
			return 0
		}
		return 1
	}
	slices.SortFunc(t.Rows, func(a, b Row) int {
		return cmp.Or(unranked(a)-unranked(b), cmp.Compare(a.NS.Center, b.NS.Center), cmp.Compare(a.Algorithm, b.Algorithm))
	})
	var p []float64
	for i := range t.Rows {
		row := &t.Rows[i]
		row.P = 1
		if row.Ranked {
			row.Times = row.NS.Center / t.Rows[0].NS.Center
		}
		if row.Ranked && i > 0 {
			p = append(p, stat.Differ(times[t.Rows[0].Algorithm], times[row.Algorithm]))
		}
	}
	for i, corrected := range stat.Holm(p) {
		t.Rows[i+1].P = corrected
	}
	return t
}

// rowSamples is a row with the samples that it is made of.
type rowSamples struct {
	Row
	samples []*benchfmt.Result
}

func newRow(name string, results []*benchfmt.Result) rowSamples {
	row := rowSamples{Row: Row{Algorithm: name, Samples: len(results), Values: map[string]float64{}}}
	for _, r := range results {
		if doubt := bench.Doubt(r); doubt != "" {
			row.Doubtful, row.Doubt = row.Doubtful+1, doubt
		} else {
			row.samples = append(row.samples, r)
		}
	}
	good := len(row.samples)
	row.Ranked = good > row.Doubtful && (good >= stat.LeastForInterval || row.Samples < stat.LeastForInterval)
	if !row.Ranked {
		row.samples = results
	}
	values := map[string][]float64{}
	for _, r := range row.samples {
		for _, v := range r.Values {
			values[v.Unit] = append(values[v.Unit], v.Value)
		}
	}
	row.All = values
	for unit, v := range values {
		row.Values[unit] = stat.Summary(v).Center
	}
	return row
}
