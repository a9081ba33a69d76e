package report

import (
	"fmt"
	"html/template"
	"slices"

	"shmbench/internal/plot"
	"shmbench/internal/stat"
	"shmbench/report/rank"
)

// mostRows is how many locks a chart of rows has: the best ones, and the worst.
const mostRows = 30

// costTables returns the tables of empty closed loops of a run, that of a process a core
// first.
func (r *Run) costTables() (tables []rank.Table) {
	tables = r.empty()
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
	return rowsOf(main, section{ID: "ranking", Title: "Cost, sorted",
		Says: "Wall time of a passage, all processes together, by lock: the median, and its 95% interval as a line. The axis is logarithmic."}, false)
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
			b := block{Title: fmt.Sprintf("%s, %s", r.title(), counted(t.Workload.Procs, "process", "processes")), Table: table{Head: []string{"lock", "ns a passage", "samples"}}}
			left := 0
			for i, row := range t.Rows {
				values := row.All["sec/op"]
				sum := stat.Summary(values)
				if len(values) == 0 || sum.Center <= 0 {
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
				one := plot.Bar{Name: row.Algorithm, Point: plot.Point{Y: sum.Center * 1e9, Low: sum.Lo * 1e9, High: sum.Hi * 1e9}, Text: spread(values)}
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
			b := block{Title: fmt.Sprintf("%s, %s", r.title(), counted(t.Workload.Procs, "process", "processes")), Table: table{Head: []string{"lock", "ns a passage", "Jain's index", ""}}}
			best := -1.0
			for _, row := range t.Rows { // the quickest first
				cost, fair := row.Values["sec/op"]*1e9, row.All["jain-short"]
				if !row.Ranked || cost <= 0 || len(fair) == 0 {
					continue
				}
				sum := stat.Summary(fair)
				pt := plot.Point{X: cost, Y: sum.Center, Low: sum.Lo, High: sum.Hi}
				p.Series = append(p.Series, plot.Series{Name: row.Algorithm, Points: []plot.Point{pt}})
				on := ""
				if sum.Center > best {
					best, on = sum.Center, "on the front"
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

// lengths draws cost against the length of the critical section, or of the remainder
// section, in runs that vary it.
func (in *Input) lengths(id, title, option string, chosen []string, length func(t rank.Table) (float64, bool)) section {
	s := section{ID: id, Title: title, Says: "Wall time of a passage against " + option + " (shmbench run with sweep). Where two lines cross, another lock is the better one."}
	for _, r := range in.Runs {
		byProcs := map[int][]rank.Table{}
		var counts []int
		for _, t := range r.ranked.Tables {
			if _, ok := length(t); ok {
				if byProcs[t.Workload.Procs] == nil {
					counts = append(counts, t.Workload.Procs)
				}
				byProcs[t.Workload.Procs] = append(byProcs[t.Workload.Procs], t)
			}
		}
		for _, n := range counts {
			if b, ok := overLength(r, byProcs[n], title, chosen, length); ok {
				b.Title = fmt.Sprintf("%s, %s", r.title(), counted(n, "process", "processes"))
				s.Blocks = append(s.Blocks, b)
			}
		}
	}
	return s
}

func overLength(r *Run, tables []rank.Table, title string, chosen []string, length func(t rank.Table) (float64, bool)) (b block, ok bool) {
	points, cells := map[string][]plot.Point{}, map[string][]string{}
	var order []string
	b.Table.Head = []string{"lock, ns"}
	p := plot.Panel{Title: "ns a passage", X: plot.Axis{Label: "ns of work", Log: true}, Y: plot.Axis{Log: true}}
	for column, t := range tables {
		x, _ := length(t)
		b.Table.Head = append(b.Table.Head, number(x)+" ns")
		for _, row := range t.Rows {
			values := row.All["sec/op"]
			if len(values) == 0 {
				continue
			}
			if cells[row.Algorithm] == nil {
				order, cells[row.Algorithm] = append(order, row.Algorithm), make([]string, len(tables))
			}
			cells[row.Algorithm][column] = spread(values)
			if sum := stat.Summary(values); x > 0 && sum.Center > 0 {
				points[row.Algorithm] = append(points[row.Algorithm], plot.Point{X: x, Y: sum.Center * 1e9, Low: sum.Lo * 1e9, High: sum.Hi * 1e9})
			}
		}
	}
	slices.Sort(order)
	longest := 0
	for _, name := range order {
		b.Table.Rows = append(b.Table.Rows, append([]string{name}, cells[name]...))
		longest = max(longest, len(points[name]))
		if points[name] != nil {
			p.Series = append(p.Series, plot.Series{Name: name, Points: points[name], Reference: r.Model != ""})
		}
	}
	if longest < 2 {
		return b, false
	}
	b.Figures = []template.HTML{draw(title+", "+r.title(), chosen, p)}
	return b, true
}

// critical and remainder are the lengths that lengths draws against.
func critical(t rank.Table) (float64, bool) {
	w := t.Workload
	return float64(w.CS.Nanoseconds()), w.NCS == 0 && w.Lines == 0 && w.Rate == 0 && w.Readers == 0
}

func remainder(t rank.Table) (float64, bool) {
	w := t.Workload
	return float64(w.NCS.Nanoseconds()), w.CS == 0 && w.Lines == 0 && w.Rate == 0 && w.Readers == 0
}
