package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
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
	names := in.names()
	main := in.main()
	view := struct {
		CSS               template.CSS
		JS                template.JS
		Missing           []Missing
		Machines, Answers table
		Quiet             []string
		Sections          []section
		Locks             []*lockPage
		Executions        []*Execution // that are of no lock
		Steps             steps
	}{CSS: template.CSS(pageCSS + stepsCSS), JS: template.JS(pageJS + "{\n" + stepsJS + "}\n"), Missing: in.Missing, Machines: in.machines(), Answers: in.answers(main)}
	for _, r := range in.Runs {
		if r.Model == "" {
			view.Quiet = append(view.Quiet, r.Label+": "+cmp.Or(r.ranked.Quiet, "whether the machine was quiet is not recorded."))
		}
	}
	for _, m := range measures {
		view.Sections = append(view.Sections, in.against(m, names))
	}
	view.Sections = append(view.Sections, in.latency(names), in.load(names), in.waiting(),
		in.variants("layout", "Packed against padded", "The default layout of a lock against the other: the quotient of the medians of a passage.", "-packed", "-padded"),
		in.variants("stores", "Sequential against released stores", "Sequentially consistent stores against released ones, where a lock has both.", "-released"),
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

// main has of each machine that was measured the run with the most results.
func (in *Input) main() (main []*Run) {
	for _, r := range in.Runs {
		if r.Model != "" {
			continue
		}
		i := slices.IndexFunc(main, func(m *Run) bool { return m.machine() == r.machine() })
		switch {
		case i < 0:
			main = append(main, r)
		case len(r.file.Results) > len(main[i].file.Results):
			main[i] = r
		}
	}
	return main
}

// machines says what was measured where, and what differs.
func (in *Input) machines() table {
	keys := []string{"model", "cpu", "cores", "caches", "goarch", "kernel", "governor", "go", "commit", "pin", "wait", "duration"}
	t := table{Head: []string{""}}
	for _, r := range in.Runs {
		t.Head = append(t.Head, r.Label)
	}
	for _, key := range keys {
		row, known := []string{key}, false
		for _, r := range in.Runs {
			v := r.config(key)
			row, known = append(row, cmp.Or(v, "-")), known || v != ""
		}
		if known {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (in *Input) answers(main []*Run) table {
	t := table{Head: []string{"situation"}}
	if len(main) == 0 {
		return t
	}
	for _, r := range main {
		t.Head = append(t.Head, r.Label)
	}
	for _, s := range situations {
		row := []string{s.name + ": " + s.says}
		for _, r := range main {
			row = append(row, in.answer(s, r))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (in *Input) verdicts() section {
	s := section{ID: "verdicts", Title: "Verdicts", Says: "What check proved or refuted, for so many processes."}
	b := block{Title: "check", Table: table{Head: verdictHead}}
	for _, c := range in.Checks {
		b.Table.Rows = append(b.Table.Rows, c.row())
	}
	if b.Table.Rows != nil {
		s.Blocks = []block{b}
	}
	return s
}

var verdictHead = []string{"lock", "processes", "memory", "registers", "mutual exclusion", "no deadlock", "no lockout", "first come, first served", "bypass", "states"}

// row is a verdict under verdictHead.
func (c Check) row() []string {
	bypass := "not known"
	if c.Bypass != nil && *c.Bypass < 0 {
		bypass = "unbounded"
	} else if c.Bypass != nil {
		bypass = fmt.Sprint(*c.Bypass)
	}
	states := fmt.Sprint(c.States)
	if !c.Exhausted {
		states += ", not all"
	}
	name := c.Algorithm
	if c.Modes != nil {
		name += ", all modes"
	}
	return []string{name, fmt.Sprint(c.N), c.Memory, c.Model, c.Exclusion, c.Deadlock, c.Lockout, c.FCFS, bypass, states}
}

func (in *Input) stress() section {
	s := section{ID: "stress", Title: "Stress", Says: "What was seen on real processors, how often; what never was is left out."}
	b := block{Title: "outcomes", Table: table{Head: []string{"lock", "outcome", "grade", "times"}}}
	for _, x := range in.Stresses {
		for _, o := range x.Outcomes {
			if o.Count > 0 {
				b.Table.Rows = append(b.Table.Rows, []string{x.Algorithm, o.Name, o.Grade, fmt.Sprint(o.Count)})
			}
		}
	}
	if b.Table.Rows != nil {
		s.Blocks = []block{b}
	}
	return s
}

func (in *Input) kills() section {
	s := section{ID: "kills", Title: "Broken locks", Says: "Locks with one fault each, and what found it."}
	b := block{Title: "mutants", Table: table{Head: []string{"mutant", "what is broken", "must get", "got", "by", ""}}}
	for _, m := range in.Mutants {
		said := "not as expected"
		if m.AsExpected {
			said = ""
		}
		b.Table.Rows = append(b.Table.Rows, []string{m.Mutant, m.Broken, m.MustGet, m.Got, m.Oracle, said})
	}
	if b.Table.Rows != nil {
		s.Blocks = []block{b}
	}
	return s
}
