// Package rank makes tables of results that show which lock is the fastest,
// and at what price.
package rank

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"

	"shmbench/internal/stat"
)

// The names that results have; see bench.Workload.Name and bench.Cost.Name.
const (
	passage = "Passage"
	nullAlg = "baseline-null"
)

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

// Tables returns the rankings of the results, one for each workload, by number
// of processes.
func Tables(results []*benchfmt.Result) []Table {
	var parser benchproc.ProjectionParser
	byTable, err := parser.Parse("/procs@num,/cs@num,/ncs@num,/rate@num", nil)
	if err != nil {
		panic(err) // a constant
	}
	byRow, err := parser.Parse("/alg", nil)
	if err != nil {
		panic(err)
	}
	samples := map[benchproc.Key]map[benchproc.Key][]*benchfmt.Result{}
	for _, r := range results {
		row := byRow.Project(r)
		if string(r.Name.Base()) != passage || row.StringValues() == nullAlg {
			continue
		}
		table := byTable.Project(r)
		if samples[table] == nil {
			samples[table] = map[benchproc.Key][]*benchfmt.Result{}
		}
		samples[table][row] = append(samples[table][row], r)
	}
	keys := make([]benchproc.Key, 0, len(samples))
	for k := range samples {
		keys = append(keys, k)
	}
	benchproc.SortKeys(keys)
	var tables []Table
	for _, k := range keys {
		tables = append(tables, newTable(workload(k), samples[k]))
	}
	return tables
}

// workload formats a table's key: "procs=2 cs=0 ncs=0".
func workload(k benchproc.Key) string {
	return strings.ReplaceAll(strings.ReplaceAll(k.String(), "/", ""), ":", "=")
}

func newTable(workload string, samples map[benchproc.Key][]*benchfmt.Result) Table {
	t := Table{Workload: workload}
	times := map[string][]float64{}
	for k, results := range samples {
		values := map[string][]float64{}
		for _, r := range results {
			for _, v := range r.Values {
				values[v.Unit] = append(values[v.Unit], v.Value)
			}
		}
		// Families have no "-" in their names, so that the first one is the "/".
		name := strings.Replace(k.StringValues(), "-", "/", 1)
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

// Machine returns the medians of the machine's costs in ns, by operation, and
// of the null lock's passage under "null".
func Machine(results []*benchfmt.Result) map[string]float64 {
	var parser benchproc.ProjectionParser
	byOp, err := parser.Parse("/op", nil)
	if err != nil {
		panic(err)
	}
	byAlg, err := parser.Parse("/alg", nil)
	if err != nil {
		panic(err)
	}
	values := map[string][]float64{}
	for _, r := range results {
		seconds, _ := r.Value("sec/op")
		switch {
		case string(r.Name.Base()) == "Machine":
			op := byOp.Project(r).StringValues()
			values[op] = append(values[op], seconds*1e9)
		case byAlg.Project(r).StringValues() == nullAlg:
			values["null"] = append(values["null"], seconds*1e9)
		}
	}
	medians := map[string]float64{}
	for op, v := range values {
		medians[op] = stat.Summary(v).Center
	}
	return medians
}
