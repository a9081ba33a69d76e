package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/words"
	"shmbench/predict"
	"shmbench/predict/compiled"
	"shmbench/report/rank"
	"shmbench/shm"
)

// advice recommends a layout of a lock on a machine.
type advice struct {
	Lock string `json:"lock"`
	// Layout is "packed", "padded", or "either" if the machine has no clear preference.
	Layout string `json:"layout"`
	// Variant is the name of the lock in this layout. With "either" it is the lock itself.
	Variant string `json:"variant"`
	// How is "measured" or "modeled", and Source the file or the model.
	How    string `json:"how"`
	Source string `json:"source"`
	// Ratio is the time of the slower layout as a multiple of that of the faster one.
	Ratio float64 `json:"ratio"`
	Procs int     `json:"procs"`
}

const either = "either"

// On a modeled machine, layouts whose times differ by less than modelMargin are equal.
// mostModeled is the number of processes that is modeled if no other number is asked for.
const (
	modelMargin = 1.05
	mostModeled = 32
)

// layoutMachine is what is known of a machine: results, a model, or both.
type layoutMachine struct {
	files  []*benchfile.File
	tables []layoutTable
	noise  string           // of results that are left out for it
	model  *predict.Machine // nil if there is none
}

// layoutTable is a ranking of closed loops without work.
type layoutTable struct {
	file string
	rank.Table
}

// adviseLayouts lists the layouts that a machine prefers.
func (l *listing) adviseLayouts(ctx context.Context, e env, algorithms []shm.Algorithm) error {
	m, err := findLayoutMachine(ctx, e.Stderr, string(l.layoutFor))
	if err != nil {
		return cli.Of(l.fs, "layout-for", err)
	}
	all := []advice{}
	var left []layoutPair
	pairs := layoutPairs(algorithms)
	for _, pair := range pairs {
		if a, ok := m.measured(pair, l.wanted.procs); ok {
			all = append(all, a)
		} else {
			left = append(left, pair)
		}
	}
	modeled, missing, err := m.modeled(ctx, e, left, l.wanted.procs)
	if err != nil {
		return err
	}
	all = append(all, modeled...)
	slices.SortStableFunc(all, func(a, b advice) int {
		of := func(x advice) int {
			return slices.IndexFunc(pairs, func(p layoutPair) bool { return p.usual.Name == x.Lock })
		}
		return cmp.Compare(of(a), of(b))
	})
	if len(all) == 0 && ctx.Err() == nil {
		return cutShort("-layout-for %s: no lock is measured or modeled in both layouts%s", l.layoutFor, m.forProcs(l.wanted.procs))
	}
	if missing != nil && ctx.Err() == nil {
		fmt.Fprintf(e.Stderr, "shmbench list: neither measured nor modeled in both layouts: %s\n", strings.Join(missing, ", "))
	}
	open := unfinished(m.files...)
	if l.json {
		err = writeJSON(e.Stdout, "list", ctx.Err() == nil && open == nil, all)
	} else {
		err = m.print(e, all)
	}
	return first(err, interrupted(ctx, "%d of %d locks have a recommendation", len(all), len(pairs)), open)
}

// forProcs says that a machine has no figures for the number of processes that is asked for,
// and for how many it has some.
func (m *layoutMachine) forProcs(procs int) string {
	if procs == 0 {
		return ""
	}
	says := fmt.Sprintf(" with -procs %d", procs)
	var measured cli.IntList
	for _, t := range m.tables {
		measured = append(measured, t.Workload.Procs)
	}
	slices.Sort(measured)
	if measured = slices.Compact(measured); measured != nil {
		says += fmt.Sprintf("; the results are of %v processes", measured)
	}
	if m.model != nil {
		says += fmt.Sprintf("; the model has %d processors", m.model.Processors())
	}
	return says
}

// findLayoutMachine finds the machine of -layout-for: a file or folder of results, a folder of
// results/, or a machine of predict.
func findLayoutMachine(ctx context.Context, stderr io.Writer, name string) (*layoutMachine, error) {
	path := name
	info, err := os.Stat(path)
	if err != nil {
		path = filepath.Join("results", name)
		info, err = os.Stat(path)
	}
	if err != nil || filepath.Ext(path) == ".json" {
		m, err := predict.Find(name)
		if err != nil {
			err = fmt.Errorf("%w; or name a file or a folder of results", err)
		}
		return &layoutMachine{model: m}, err
	}
	paths := []string{path}
	if info.IsDir() {
		if paths, err = filepath.Glob(filepath.Join(path, "*.txt")); err != nil {
			return nil, err
		}
	}
	m := new(layoutMachine)
	for _, path := range paths {
		if is, err := isRun(path); err != nil || !is && info.IsDir() {
			continue
		}
		file, err := openResults(ctx, stderr, path)
		if err != nil {
			return nil, err
		}
		m.files = append(m.files, file)
		m.add(file)
	}
	switch {
	case m.tables == nil && m.noise != "":
		return nil, cutShort("-layout-for %s: %s", name, rank.NoRecommendation(m.noise))
	case m.tables == nil:
		return nil, fmt.Errorf("%s: there are no results of shmbench run without work, under the default waiting policy", path)
	}
	return m, nil
}

// add adds the results of a file, and a model of its machine if there is none yet.
func (m *layoutMachine) add(file *benchfile.File) {
	for _, part := range file.Parts() {
		if len(part.Results) == 0 {
			continue
		}
		r := part.Results[0]
		if r.GetConfig("model") != "" || cmp.Or(r.GetConfig("wait"), "pause-yield") != "pause-yield" {
			continue
		}
		cores, _ := strconv.Atoi(r.GetConfig("cores"))
		report := rank.New(part.Results)
		if report.Noise != "" {
			m.noise = report.Noise
			continue
		}
		for _, t := range report.Tables {
			if isEmpty(t) && (cores == 0 || t.Workload.Procs <= cores) {
				m.tables = append(m.tables, layoutTable{file.Name, t})
			}
		}
		if _, ok := report.Machine[bench.Transfer]; ok && m.model == nil && cores > 1 {
			m.model = modelOf(file.Name, cores, report.Machine)
		}
	}
}

// modelOf returns a model of a machine with measured costs, or nil if there can be none.
func modelOf(name string, cores int, costs map[string]float64) *predict.Machine {
	m, err := predict.New(name, fmt.Sprintf("cores=%d", cores), predict.CoresFirst, "")
	if err != nil {
		return nil
	}
	m.Measured(machineCosts(costs))
	return m
}

// measured is the advice of the measurement with the most processes, or with as many as are
// asked for. One process alone does not show what a layout costs.
func (m *layoutMachine) measured(pair layoutPair, procs int) (advice, bool) {
	var best layoutRows
	var source string
	for _, t := range m.tables {
		n := t.Workload.Procs
		if procs > 0 && n != procs || procs == 0 && n < 2 {
			continue
		}
		r, ok := pair.measuredIn(t.Table)
		if ok && (best.usual == nil || n > best.procs || n == best.procs && r.usual.Samples > best.usual.Samples) {
			best, source = r, t.file
		}
	}
	if best.usual == nil {
		return advice{}, false
	}
	a := advice{Lock: pair.usual.Name, Variant: pair.usual.Name, Layout: either, How: "measured", Source: source,
		Ratio: times(best.usual.NS.Center, best.other.NS.Center), Procs: best.procs}
	if fast, clear := best.faster(); clear {
		a.Layout, a.Variant = fast.Layout.String(), fast.Name
	}
	return a, true
}

// modeled is the advice of the model. missing are the locks that the model cannot run.
func (m *layoutMachine) modeled(ctx context.Context, e env, pairs []layoutPair, procs int) (all []advice, missing []string, err error) {
	p := &prediction{machine: m.model}
	of := map[string][]*point{}
	for _, pair := range pairs {
		n := m.modeledProcs(pair, procs)
		if n == 0 {
			continue
		}
		for _, a := range []shm.Algorithm{pair.usual, pair.other} {
			x := &point{trial: compiled.Trial{Lock: a.Name, Machine: m.model,
				Workload: compiled.Workload{Procs: n}, Options: compiled.Options{Passages: 20, Accesses: 1_000_000, Seed: 1}}}
			of[pair.usual.Name], p.points = append(of[pair.usual.Name], x), append(p.points, x)
		}
	}
	if len(p.points) > 0 {
		program, remove, err := lockProgram(ctx)
		if err != nil {
			return nil, nil, err
		}
		defer remove()
		if err := p.run(ctx, e, program); err != nil {
			return nil, nil, err
		}
	}
	for _, pair := range pairs {
		if a, ok := m.predicted(pair, of[pair.usual.Name]); ok {
			all = append(all, a)
		} else {
			missing = append(missing, pair.usual.Name)
		}
	}
	return all, missing, nil
}

// modeledProcs is the number of processes for which a pair is modeled, or 0 if it cannot be.
func (m *layoutMachine) modeledProcs(pair layoutPair, procs int) int {
	if m.model == nil || pair.usual.Class.Sleeps() {
		return 0
	}
	n := cmp.Or(procs, min(mostModeled, m.model.Processors(), pair.usual.MaxProcs))
	if n > m.model.Processors() || n < pair.usual.MinProcs || n > pair.usual.MaxProcs {
		return 0
	}
	return n
}

// predicted is the advice for a pair, if there are two points and the model reached the end of both.
func (m *layoutMachine) predicted(pair layoutPair, points []*point) (advice, bool) {
	if points == nil {
		return advice{}, false
	}
	var ns [2]float64
	for i, x := range points {
		if x.result == nil || x.result.Short {
			return advice{}, false
		}
		ns[i], _ = x.result.Get("ns/op")
	}
	a := advice{Lock: pair.usual.Name, Variant: pair.usual.Name, Layout: either, How: "modeled", Source: m.model.Name, Ratio: times(ns[0], ns[1]), Procs: points[0].trial.Workload.Procs}
	if a.Ratio >= modelMargin {
		fast := pair.usual
		if ns[1] < ns[0] {
			fast = pair.other
		}
		a.Layout, a.Variant = fast.Layout.String(), fast.Name
	}
	return a, true
}

// print writes the table of the advice.
func (m *layoutMachine) print(e env, all []advice) error {
	t := table.New(e.Stdout, "lock", "layout", "variant", "ratio", "processes", "how", "source")
	for _, a := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t%d\t%s\t%s\n", a.Lock, a.Layout, a.Variant, math.Round(100*a.Ratio)/100, a.Procs, a.How, printable(a.Source))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprint(e.Stdout, "\nratio: time of a passage in the slower layout, as a multiple of that in the faster layout.\n"+
		"either: the 95% intervals overlap (measured), or the times differ by less than 5 % (modeled).\n")
	if err != nil || !slices.ContainsFunc(all, func(a advice) bool { return a.How == "modeled" }) {
		return err
	}
	_, err = fmt.Fprintln(e.Stdout, strings.Join(words.Fold(capital(about(m.model))+".", 120), "\n"))
	return err
}
