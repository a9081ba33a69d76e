package report

import (
	"fmt"
	"html/template"
	"slices"

	"shmbench/internal/cli/words"
	"shmbench/internal/plot"
	"shmbench/report/rank"
)

// mostRows is how many locks a chart of rows has: the best ones, and the worst.
const mostRows = 30

// costTables returns the tables of the closed loops of a run, that of a process a core
// first.
func (r *Run) costTables() (tables []rank.Table) {
	tables = r.closed()
	slices.SortStableFunc(tables, func(a, b rank.Table) int {
		first := func(t rank.Table) int {
			if t.Workload.Procs == r.cores() {
				return 0
			}
			return 1
		}
		return first(a) - first(b)
	})
	return tables
}

// ordered draws the locks of one number of processes below one another, the best first.
func (in *Input) ordered(main []*Run) section {
	says := "Wall time of a passage, all processes together, by lock: the median, and its 95% interval as a line. The axis is logarithmic."
	if names := in.delegates(); names != nil {
		says += " By Execute, and not by Lock and Unlock: " + words.Listed(names) + "."
	}
	return rowsOf(main, section{ID: "ranking", Title: "Cost, sorted", Says: says}, false)
}

// distributions draws every sample, since the median of a lock with two modes misleads.
func (in *Input) distributions(main []*Run) section {
	return rowsOf(main, section{ID: "samples", Title: "Distribution of the samples",
		Says: "Each dot is one sample, and the line is the median. Samples in two groups come from a lock with two ways to run, or from a machine that changed: their median says little."}, true)
}

func rowsOf(main []*Run, s section, strips bool) section {
	for _, r := range main {
		tables := r.costTables()
		if n := len(tables); strips && n > 2 { // a process a core, and the most processes
			tables = []rank.Table{tables[0], tables[n-1]}
		}
		for _, t := range tables {
			c := plot.Bars{X: plot.Axis{Label: "ns a passage", Log: true}, Strips: strips}
			b := block{Title: fmt.Sprintf("%s, %s", r.title(), counted(t.Workload)), Table: table{Head: []string{"lock", "ns a passage", "samples"}}}
			left := 0
			for i, row := range t.Rows {
				values := row.All["sec/op"]
				pt := median(0, values, 1e9)
				if len(values) == 0 || pt.Y <= 0 {
					continue
				}
				text := spread(values)
				if !row.Ranked {
					text += ", doubtful: " + row.Doubt
				}
				b.Table.Rows = append(b.Table.Rows, []string{row.Algorithm, text, fmt.Sprint(len(values))})
				if i >= mostRows && i < len(t.Rows)-1 {
					left++
					continue
				}
				one := plot.Bar{Name: row.Algorithm, Point: pt, Text: spread(values)}
				if strips {
					one.Text = ""
					for _, v := range values {
						if v > 0 {
							one.Samples = append(one.Samples, v*1e9)
						}
					}
				}
				c.Rows = append(c.Rows, one)
			}
			if c.Rows == nil {
				continue
			}
			if strips || left == 0 { // the chart has the values
				b.Table = table{}
			}
			if left > 0 {
				b.Note = fmt.Sprintf("The chart leaves out %d locks before the last: see the table.", left)
			}
			c.Title = s.Title + ", " + b.Title
			b.Figures = []template.HTML{drawn(&c)}
			s.Blocks = append(s.Blocks, b)
		}
	}
	return s
}

// tradeoff draws cost against fairness. The line joins the locks that no other lock beats
// in both.
func (in *Input) tradeoff(main []*Run, chosen []string) section {
	s := section{ID: "tradeoff", Title: "Cost against fairness",
		Says: "Wall time of a passage against Jain's fairness index over windows of ten passages a process. Quick is left, fair is up. The line joins the locks that no other lock beats in both (the Pareto front)."}
	for _, r := range main {
		for _, t := range r.costTables() {
			if t.Workload.Procs < 2 {
				continue
			}
			p := plot.Panel{Title: "Jain's index", X: plot.Axis{Label: "ns a passage", Log: true}, Y: plot.Axis{Show: []float64{0, 1}}, Scatter: true}
			b := block{Title: fmt.Sprintf("%s, %s", r.title(), counted(t.Workload)), Table: table{Head: []string{"lock", "ns a passage", "Jain's index", ""}}}
			best := -1.0
			for _, row := range t.Rows { // the quickest first
				cost, fair := row.Values["sec/op"]*1e9, row.All["jain-short"]
				if !row.Ranked || cost <= 0 || len(fair) == 0 {
					continue
				}
				pt := median(cost, fair, 1)
				p.Series = append(p.Series, plot.Series{Name: row.Algorithm, Points: []plot.Point{pt}})
				on := ""
				if pt.Y > best {
					best, on = pt.Y, "on the front"
					p.Front = append(p.Front, pt)
				}
				b.Table.Rows = append(b.Table.Rows, []string{row.Algorithm, spread(row.All["sec/op"]), scaled(fair, 1), on})
			}
			if p.Series == nil {
				continue
			}
			b.Figures = []template.HTML{draw("Cost against fairness, "+b.Title, frontOf(p, chosen), p)}
			s.Blocks = append(s.Blocks, b)
		}
	}
	return s
}

// frontOf names the locks on the front of a panel, and then the chosen ones.
func frontOf(p plot.Panel, chosen []string) (names []string) {
	for _, s := range p.Series {
		if slices.Contains(p.Front, s.Points[0]) {
			names = append(names, s.Name)
		}
	}
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names[:min(len(names), plot.Looks)]
}
