package report

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"shmbench/bench"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var page = template.Must(template.Must(template.New("page").Parse(pageText)).Parse(stepsText))

// Write writes the page.
func (in *Input) Write(w io.Writer) error {
	main := in.main()
	in = in.beginning(main)
	names := in.Measured()
	view := struct {
		CSS             template.CSS
		JS              template.JS
		Missing         []Missing
		Machines, Files table
		Situations      []string
		Answers         []situationRow
		Names           []string
		Choices         []choice
		Known           map[string]map[string][]string
		Sections        []section
		Locks           []*lockPage
		Executions      []*Execution // that are of no lock
		Steps           steps
	}{CSS: template.CSS(pageCSS + stepsCSS), JS: template.JS(pageJS + "{\n" + stepsJS + "}\n"), Missing: in.Missing, Machines: described(main), Files: described(in.Runs)}
	view.Situations, view.Answers = in.answers(main)
	view.Names = names
	view.Choices, view.Known = in.choices()
	for _, m := range measures {
		view.Sections = append(view.Sections, in.against(m, names))
	}
	view.Sections = append(view.Sections, in.latency(names), in.load(names), in.waiting(),
		in.variants(names, "layout", "Packed against padded", "The default layout of a lock against the other: the quotient of the medians of a passage; a bar is the quotients of the ends of the intervals, which is wider than 95%. Below 1 the variant is ahead.", "-packed", "-padded"),
		in.variants(names, "stores", "Sequential against released stores", "Sequentially consistent stores against released ones, where a lock has both: quotients as above.", "-released"),
		in.sideBySide(main, names), in.verdicts(), in.stress(), in.kills())
	shown := in.shown()
	view.Steps = in.steps(shown)
	view.Locks, view.Executions = in.locks(shown)
	return page.Execute(w, view)
}

// machine is what makes two machines one.
func (r *Run) machine() string {
	return strings.Join([]string{r.Model, r.config("cpu"), r.config("cores"), r.config("caches"), r.config("goarch")}, "\x00")
}

// machineName is what the files of r's machine have in common in their names.
func (r *Run) machineName() string {
	name, _, _ := strings.Cut(r.Label, "/")
	return name
}

// main has of each machine that was measured the run with the most results of closed
// loops, in which processes wait as they do by default.
func (in *Input) main() (main []*Run) {
	for _, r := range in.Runs {
		if r.Model != "" {
			continue
		}
		i := slices.IndexFunc(main, func(m *Run) bool { return m.machine() == r.machine() })
		switch {
		case i < 0:
			main = append(main, r)
		case r.weight() > main[i].weight():
			main[i] = r
		}
	}
	return main
}

// beginning is in with these runs before the others, so that the first chart of a
// section, which is unfolded, is of what stands for a machine.
func (in *Input) beginning(with []*Run) *Input {
	sorted := *in
	sorted.Runs = slices.Clone(with)
	for _, r := range in.Runs {
		if !slices.Contains(with, r) {
			sorted.Runs = append(sorted.Runs, r)
		}
	}
	return &sorted
}

// weight is how much a run has to say of its machine.
func (r *Run) weight() (n int) {
	for _, t := range r.ranked.Tables {
		if t.Workload == (bench.Workload{Procs: t.Workload.Procs}) {
			n += len(t.Rows)
		}
	}
	if wait := r.config("wait"); wait != "" && wait != policies[0] {
		n /= 2
	}
	return n
}

// settings are what a file says of its machine and of its run.
var settings = []string{"model", "cpu", "cores", "caches", "goarch", "kernel", "governor", "go", "commit", "pin", "wait", "duration"}

// described says what was measured where, a column a run; what is not the same in all
// comes first.
func described(runs []*Run) (t table) {
	t.Head = []string{""}
	for _, r := range runs {
		t.Head = append(t.Head, r.Label)
	}
	quiet := []string{"quiet"}
	var same [][]string
	for _, r := range runs {
		if r.Model != "" {
			quiet = append(quiet, "not a measurement")
			continue
		}
		quiet = append(quiet, cmp.Or(strings.TrimPrefix(r.ranked.Quiet, "The machine was "), "whether the machine was quiet is not recorded."))
	}
	if len(runs) > 0 {
		t.Rows = [][]string{quiet}
	}
	for _, key := range settings {
		row, known, differs := []string{key}, false, false
		for _, r := range runs {
			v := r.config(key)
			row, known, differs = append(row, cmp.Or(v, "-")), known || v != "", differs || v != runs[0].config(key)
		}
		switch {
		case differs:
			row[0] += " (differs)"
			t.Rows = append(t.Rows, row)
		case known:
			same = append(same, row)
		}
	}
	t.Rows = append(t.Rows, same...)
	return t
}

// answered is the best of a situation on a machine, for the template: what is said
// first, and the rest.
type answered struct {
	Close       bool
	First, Rest string
}

type situationRow struct {
	Name, Says string
	Cells      []answered
}

func (in *Input) answers(main []*Run) (head []string, rows []situationRow) {
	if len(main) == 0 {
		return nil, nil
	}
	head = []string{"situation"}
	for _, r := range main {
		head = append(head, r.Label)
	}
	for _, s := range situations {
		row := situationRow{Name: s.name, Says: s.says}
		for _, r := range main {
			text, near := strings.CutPrefix(in.answer(s, r), "too close to call: ")
			first, rest, _ := strings.Cut(text, "; ")
			row.Cells = append(row.Cells, answered{near, first, rest})
		}
		rows = append(rows, row)
	}
	return head, rows
}
