// Package compare compares files of results with one another, for the report and
// for the verb compare. It reads results and never a lock.
package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/results/stat"
)

// Report is what comparing files gave.
type Report struct {
	// Answer says in words how each further file compares with the first, a line each.
	Answer      []string     `json:"answer"`
	Files       []string     `json:"files"`
	Differences []Difference `json:"differences"`
	Tables      []Table      `json:"tables"`
	// Incomplete has the files whose measurement did not end as planned, Notes the lines
	// that are skipped, and Missing the benchmarks that some file does not have.
	Incomplete []Said    `json:"incomplete,omitempty"`
	Notes      []Said    `json:"notes,omitempty"`
	Missing    []Missing `json:"missing,omitempty"`
	// Models has the files that were predicted, if others were measured.
	Models []Model `json:"models,omitempty"`
	// Machine compares the machines themselves: what their operations cost,
	// and the harness. Nothing in it is a regression.
	Machine *Table `json:"machine,omitempty"`
}

// Said is what is said about a file.
type Said struct {
	File string `json:"file"`
	How  string `json:"how"`
}

// Model is a file whose figures are of a model.
type Model struct {
	File  string `json:"file"`
	Model string `json:"model"` // its name
}

// Missing is a benchmark with a value in Unit that only some files have.
type Missing struct {
	Name string   `json:"name"`
	Unit string   `json:"unit"`
	In   []string `json:"in"` // the files that have it
}

// Table compares the values of one unit.
type Table struct {
	Unit   string `json:"unit"`   // tidied: seconds for ns
	Better string `json:"better"` // "lower", "higher" or "unknown"
	Rows   []Row  `json:"rows"`
	// LeftOut is how many samples had too few passages to be compared, or did
	// not reach their rate.
	LeftOut int `json:"left_out,omitempty"`
	// Doubts names the benchmarks, with their file, that have samples left out, and why.
	Doubts []string `json:"doubts,omitempty"`
}

// Row is one benchmark. Cells has one element a file.
type Row struct {
	Name  string `json:"name"`
	Cells []Cell `json:"cells"`
}

// Cell is a benchmark in a file. Change and P compare it with the first file;
// they mean something only if Compared.
type Cell struct {
	Samples  int     `json:"samples"` // 0: not in this file
	Median   float64 `json:"median"`
	Low      Bound   `json:"low"` // the interval
	High     Bound   `json:"high"`
	Compared bool    `json:"compared"`
	Change   Bound   `json:"change"` // 0.1: ten per cent more; null: from 0 to more
	P        float64 `json:"p"`      // after Holm's correction over the table
}

// Bound is a number that may be infinite, as an end of an interval is where
// the samples are too few for one. JSON has null for that.
type Bound float64

// MarshalJSON encodes the bound.
func (b Bound) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(b), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(b))
}

// Files compares the second and further files with the first, in these units,
// tidied or not. Without units each benchmark is compared by the unit of its
// rank: ns/op, and in an open loop, where that is the gap between arrivals, the
// mean latency.
//
// Configuration that is not the same for all results of a file is a part of the
// names: what "go test -cpu 1,2,4" measures is three benchmarks.
func Files(files []*benchfile.File, units []string) (*Report, error) {
	if len(files) < 2 {
		return nil, errors.New("there must be two files or more to compare")
	}
	r := &Report{Differences: differences(files), Models: models(files)}
	for _, f := range files {
		r.Files = append(r.Files, f.Name)
		if f.Incomplete != "" {
			r.Incomplete = append(r.Incomplete, Said{f.Name, f.Incomplete})
		}
		for _, note := range f.Notes {
			r.Notes = append(r.Notes, Said{f.Name, note})
		}
	}
	varied := variedIn(files)
	byRank := len(units) == 0
	if byRank {
		units = []string{"ns/op", "mean-ns"}
	}
	for _, unit := range units {
		_, tidied := benchunit.Tidy(1, unit)
		t, missing := newTable(files, tidied, varied, func(name benchfmt.Name) bool {
			return !bench.AboutMachine(name) && (!byRank || rankUnit(name) == tidied)
		})
		switch {
		case t.Rows != nil:
			r.Tables = append(r.Tables, t)
		case !byRank:
			return nil, nothingIn(unit, files)
		}
		r.Missing = append(r.Missing, missing...)
	}
	if r.Tables == nil {
		return nil, nothingIn(units[0], files)
	}
	machine, _ := newTable(files, "sec/op", varied, bench.AboutMachine)
	if machine.Rows != nil {
		r.Machine = &machine
	}
	r.Answer = r.answer(files)
	return r, nil
}

func nothingIn(unit string, files []*benchfile.File) error {
	err := fmt.Errorf("the files have no benchmark with a value in %s in common", unit)
	units := unitsOf(files)
	switch {
	case slices.Contains(units, unit):
		var has []string
		for _, f := range files {
			has = append(has, fmt.Sprintf("%s has %s", f.Name, firstIn(unit, f)))
		}
		return fmt.Errorf("%w: %s", err, strings.Join(has, ", "))
	case len(units) > 0:
		return fmt.Errorf("%w; units of all files: %s", err, strings.Join(units, ", "))
	}
	return err
}

// firstIn returns the first benchmark of a file with a value in a unit. One of a lock comes before one
// of the machine.
func firstIn(unit string, f *benchfile.File) (name string) {
	for _, r := range f.Results {
		has := slices.ContainsFunc(r.Values, func(v benchfmt.Value) bool { return cmp.Or(v.OrigUnit, v.Unit) == unit })
		switch {
		case has && !bench.AboutMachine(r.Name):
			return r.Name.String()
		case has && name == "":
			name = r.Name.String()
		}
	}
	return name
}

// unitsOf returns the units that every file has values in, sorted.
func unitsOf(files []*benchfile.File) []string {
	in := map[string]int{}
	for _, f := range files {
		units := map[string]bool{}
		for _, r := range f.Results {
			for _, v := range r.Values {
				units[cmp.Or(v.OrigUnit, v.Unit)] = true
			}
		}
		for unit := range units {
			in[unit]++
		}
	}
	maps.DeleteFunc(in, func(_ string, n int) bool { return n < len(files) })
	return slices.Sorted(maps.Keys(in))
}

// rankUnit is the unit by which a benchmark is ranked, also one that is not of
// this module.
func rankUnit(name benchfmt.Name) string {
	_, w, _ := bench.ParseName(name)
	return bench.RankUnit(w)
}

// modelOf returns the name of the model that a file is of; empty: it was measured.
func modelOf(f *benchfile.File) string {
	for _, r := range f.Results {
		if name := r.GetConfig("model"); name != "" {
			return name
		}
	}
	return ""
}

// models returns the files that say of what model they are, if others do not.
func models(files []*benchfile.File) (all []Model) {
	for _, f := range files {
		if name := modelOf(f); name != "" {
			all = append(all, Model{f.Name, name})
		}
	}
	if len(all) == len(files) {
		return nil
	}
	return all
}

// newTable compares the benchmarks that are in the first file and in another, by
// name and by the varied configuration. It returns also those that are not in
// every file.
func newTable(files []*benchfile.File, unit string, varied []string, include func(benchfmt.Name) bool) (Table, []Missing) {
	t := Table{Unit: unit, Better: "unknown"}
	var order []string
	var doubts doubts
	samples := map[string][][]float64{} // by file
	for i, f := range files {
		if b := f.Units.GetBetter(unit); b != 0 {
			t.Better = map[int]string{-1: "lower", 1: "higher"}[b]
		}
		for _, r := range benchfile.ByFork(f.Results) {
			v, ok := r.Value(unit)
			if !ok || !include(r.Name) {
				continue
			}
			if bench.Doubt(r) != "" {
				t.LeftOut++
				doubts.add(benchfile.FullName(r, varied), f.Name, bench.Doubt(r))
				continue
			}
			name := benchfile.FullName(r, varied)
			if samples[name] == nil {
				order = append(order, name)
				samples[name] = make([][]float64, len(files))
			}
			samples[name][i] = append(samples[name][i], v)
		}
	}
	var missing []Missing
	for _, name := range order {
		m := Missing{Name: name, Unit: unit}
		for i, values := range samples[name] {
			if len(values) > 0 {
				m.In = append(m.In, files[i].Name)
			}
		}
		if len(m.In) < len(files) {
			missing = append(missing, m)
		}
		if row := newRow(name, samples[name]); slices.ContainsFunc(row.Cells, func(c Cell) bool { return c.Compared }) {
			t.Rows = append(t.Rows, row)
		}
	}
	t.correct()
	t.Doubts = doubts.text()
	return t, missing
}

func newRow(name string, samples [][]float64) Row {
	row := Row{Name: name}
	for i, values := range samples {
		if len(values) == 0 {
			row.Cells = append(row.Cells, Cell{})
			continue
		}
		s := stat.Summary(values)
		c := Cell{Samples: len(values), Median: s.Center, Low: Bound(s.Lo), High: Bound(s.Hi)}
		if base := samples[0]; i > 0 && len(base) > 0 {
			c.Compared = true
			c.Change = Bound(change(stat.Summary(base), s))
			c.P = stat.Differ(base, values)
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

func change(from, to benchmath.Summary) float64 {
	if from.Center == to.Center {
		return 0
	}
	return to.Center/from.Center - 1
}

// correct applies Holm's correction to all p-values of the table.
func (t *Table) correct() {
	var cells []*Cell
	var p []float64
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			if c := &t.Rows[i].Cells[j]; c.Compared {
				cells, p = append(cells, c), append(p, c.P)
			}
		}
	}
	for i, corrected := range stat.Holm(p) {
		cells[i].P = corrected
	}
}

// Regressions returns the names of the benchmarks that in some file are worse
// than in the first by more than the threshold (0.05: five per cent),
// significantly.
func (r *Report) Regressions(threshold float64) []string {
	var names []string
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			for _, c := range row.Cells {
				change := float64(c.Change)
				worse := t.Better == "lower" && change > threshold || t.Better == "higher" && -change > threshold
				if c.Compared && worse && c.P < stat.Significant {
					names = append(names, row.Name)
					break
				}
			}
		}
	}
	return names
}

// Undecided returns the names of the benchmarks that cannot be compared:
// some file does not have them, or has so few samples that no difference
// between them could be significant.
func (r *Report) Undecided() []string {
	var names []string
	for _, m := range r.Missing {
		names = append(names, m.Name)
	}
	for _, t := range r.Tables {
		comparisons := t.comparisons()
		for _, row := range t.Rows {
			if slices.ContainsFunc(row.Cells[1:], func(c Cell) bool {
				return c.Compared && stat.LeastP(row.Cells[0].Samples, c.Samples)*float64(comparisons) >= stat.Significant
			}) {
				names = append(names, row.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// comparisons counts the cells that are compared.
func (t Table) comparisons() int {
	n := 0
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			if c.Compared {
				n++
			}
		}
	}
	return n
}
