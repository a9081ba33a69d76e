package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"shmbench/internal/benchfile"
	"shmbench/internal/stat"
	"shmbench/report/compare"
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
	view.Sections = append(view.Sections, in.latency(names),
		in.variants("layout", "Packed against padded", "The default layout of a lock against the other: the quotient of the medians of a passage.", "-packed", "-padded"),
		in.variants("stores", "Sequential against released stores", "Sequentially consistent stores against released ones, where a lock has both.", "-released"),
		in.sideBySide(main), in.verdicts(), in.stress(), in.kills())
	shown := in.shown()
	view.Steps = in.steps(shown)
	view.Locks, view.Executions = in.locks(shown)
	return page.Execute(w, view)
}

// machine is what makes two machines one.
func (r *Run) machine() string {
	return strings.Join([]string{r.Model, r.config("cpu"), r.config("cores"), r.config("caches"), r.config("goarch")}, "\x00")
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

// variants compares each lock with those that are named as it is and end with one
// of the suffixes, run by run, with Holm's correction over the run.
func (in *Input) variants(id, title, says string, suffixes ...string) section {
	s := section{ID: id, Title: title, Says: says}
	for _, r := range in.Runs {
		var p []float64
		b := block{Title: r.title(), Table: table{Head: []string{"lock", "load", "ns a passage", "variant", "its ns", "quotient", "p", ""}}}
		var quotients []float64
		for _, t := range r.ranked.Tables {
			for _, row := range t.Rows {
				for _, suffix := range suffixes {
					for _, other := range t.Rows {
						base, variant := row.All["sec/op"], other.All["sec/op"]
						if other.Algorithm != row.Algorithm+suffix || len(base) == 0 || len(variant) == 0 || !row.Ranked || !other.Ranked {
							continue
						}
						q := stat.Summary(variant).Center / stat.Summary(base).Center
						p, quotients = append(p, stat.Differ(base, variant)), append(quotients, q)
						b.Table.Rows = append(b.Table.Rows, []string{row.Algorithm, t.Workload.String(), spread(base), other.Algorithm, spread(variant), number(q)})
					}
				}
			}
		}
		for i, corrected := range stat.Holm(p) {
			b.Table.Rows[i] = append(b.Table.Rows[i], fmt.Sprintf("%.3f", corrected), flag(r, corrected, quotients[i]-1))
		}
		if b.Table.Rows != nil {
			s.Blocks = append(s.Blocks, b)
		}
	}
	return s
}

// spread is the median and the interval of times, in ns.
func spread(seconds []float64) string {
	s := stat.Summary(seconds)
	return fmt.Sprintf("%s [%s, %s]", number(s.Center*1e9), number(s.Lo*1e9), number(s.Hi*1e9))
}

// flag says that a change is one, if both p and its size do.
func flag(r *Run, p, change float64) string {
	switch {
	case r != nil && r.Model != "", p >= stat.Significant, change > -least && change < least:
		return ""
	case change < 0:
		return "less"
	}
	return "more"
}

// sideBySide compares the machines, the first with each other one.
func (in *Input) sideBySide(main []*Run) section {
	s := section{ID: "machines", Title: "Machines side by side",
		Says: "Medians and 95% intervals; p by Mann-Whitney with Holm's correction over the table. A change is flagged only where p is below 0.01 and it is 5% or more. Ranks are among the locks that both machines have."}
	if len(main) < 2 {
		return s
	}
	for _, r := range main[1:] {
		b := block{Title: main[0].Label + " and " + r.Label}
		c, err := compare.Files([]*benchfile.File{main[0].file, r.file}, []string{"ns/op"})
		if err != nil {
			b.Note = err.Error()
			s.Blocks = append(s.Blocks, b)
			continue
		}
		b.Table.Head = []string{"benchmark", main[0].Label + ", ns", r.Label + ", ns", "change", "p", "", "rank", ""}
		ranks := common(main[0], r)
		for _, row := range c.Tables[0].Rows {
			from, to := row.Cells[0], row.Cells[1]
			change := float64(to.Change)
			cell := func(c compare.Cell) string {
				return fmt.Sprintf("%s [%s, %s]", number(c.Median*1e9), number(float64(c.Low)*1e9), number(float64(c.High)*1e9))
			}
			line := []string{row.Name, cell(from), cell(to), number(100*change) + "%", fmt.Sprintf("%.3f", to.P), flag(nil, to.P, change), "", ""}
			if r, ok := ranks[row.Name]; ok {
				line[6] = fmt.Sprintf("%d, %d", r[0], r[1])
				if r[0] != r[1] {
					line[7] = "other rank"
				}
			}
			b.Table.Rows = append(b.Table.Rows, line)
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

// common has the ranks on two machines of the locks that both have, by the name
// of the benchmark.
func common(a, b *Run) map[string][2]int {
	all := map[string][2]int{}
	for _, t := range a.ranked.Tables {
		for _, u := range b.ranked.Tables {
			if t.Workload != u.Workload {
				continue
			}
			var first, second []string
			for _, row := range t.Rows {
				for _, other := range u.Rows {
					if row.Ranked && other.Ranked && row.Algorithm == other.Algorithm {
						first = append(first, row.Algorithm)
					}
				}
			}
			for _, other := range u.Rows {
				if slices.Contains(first, other.Algorithm) {
					second = append(second, other.Algorithm)
				}
			}
			for i, name := range first {
				full := strings.TrimPrefix(t.Workload.Name(strings.Replace(name, "/", "-", 1)), "Benchmark")
				all[full] = [2]int{i + 1, slices.Index(second, name) + 1}
			}
		}
	}
	return all
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
