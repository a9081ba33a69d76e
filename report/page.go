package report

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"strings"

	"shmbench/internal/page/stepper"
	"shmbench/internal/page/steps"
	"shmbench/internal/plot"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

//go:embed looks.js
var looksJS string

//go:embed tip.js
var tipJS string

var page = template.Must(template.Must(template.New("page").Parse(pageText)).Parse(stepper.HTML + steps.HTML))

// Write writes the page.
func (in *Input) Write(w io.Writer) error {
	main := in.main()
	in = in.beginning(main)
	names := in.chosen(main)
	view := struct {
		CSS             template.CSS
		Marks           template.HTML
		JS              template.JS
		Missing         []Missing
		Machines, Files table
		Conclusions     []conclusion
		Apart           []string
		Delegates       []string
		Names           []string
		Choices         []choice
		Known           map[string]map[string][]string
		Sections        []section
		Locks           []*lockPage
		Executions      []*steps.Execution // that are of no lock
		Steps           steps.Data
	}{CSS: template.CSS(stepper.Colors + pageCSS + stepper.CSS), JS: template.JS(looksJS + pageJS + tipJS + "{\n" + stepper.JS + steps.JS + "}\n"), Missing: in.Missing, Machines: described(main), Files: described(in.Runs)}
	var marks strings.Builder
	if err := plot.WriteMarks(&marks); err != nil {
		return err
	}
	view.Marks = template.HTML(marks.String())
	view.Conclusions, view.Apart = in.conclusions(), in.apart(main)
	view.Names, view.Delegates = in.Measured(), in.delegates()
	view.Choices, view.Known = in.choices()
	view.Sections = append(view.Sections, in.ordered(main), in.tradeoff(main, names), in.distributions(main))
	for _, m := range measures {
		view.Sections = append(view.Sections, in.against(m, names))
	}
	view.Sections = append(view.Sections, in.lengths("cslength", "Cost against the critical section", "the work in the critical section", "cs", names, critical),
		in.lengths("ncslength", "Cost against the remainder section", "the work between critical sections", "ncs", names, remainder), in.latency(names), in.load(names), in.waiting(),
		in.variants(names, "layout", "Packed against padded", "The default layout of a lock against the other: the quotient of the medians of a passage; a bar is the quotients of the ends of the intervals, which is wider than 95%. Below 1 the variant is ahead.", "-packed", "-padded"),
		in.variants(names, "stores", "Sequentially consistent against release stores", "Two variants of a lock, where it has both: quotients as above.", "-released"),
		in.sideBySide(main, names), in.verdicts(), in.stress(), in.kills())
	shown := in.shown()
	view.Steps = shown.Data(in.Sources)
	view.Locks, view.Executions = in.locks(shown)
	return page.Execute(w, view)
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
