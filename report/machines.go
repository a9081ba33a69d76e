package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/plot"
	"shmbench/internal/results/stat"
	"shmbench/report/compare"
)

// variants compares each lock with those that are named as it is and end with one
// of the suffixes, run by run, with Holm's correction over the run.
func (in *Input) variants(names []string, id, title, says string, suffixes ...string) section {
	s := section{ID: id, Title: title, Says: says}
	for _, r := range in.Runs {
		var p []float64
		b := block{Title: r.title(), Table: table{Head: []string{"lock", "load", "ns a passage", "variant", "its ns", "quotient", "p", ""}}}
		var quotients []float64
		c := newCurves()
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
						if w := t.Workload; w == (bench.Workload{Procs: w.Procs}) && q > 0 && !math.IsInf(q, 0) {
							from, to := stat.Summary(base), stat.Summary(variant)
							c.point(other.Algorithm, plot.Point{X: float64(w.Procs), Y: q, Low: to.Lo / from.Hi, High: to.Hi / from.Lo})
						}
						b.Table.Rows = append(b.Table.Rows, []string{row.Algorithm, t.Workload.String(), spread(base), other.Algorithm, spread(variant), number(q)})
					}
				}
			}
		}
		for i, corrected := range stat.Holm(p) {
			b.Table.Rows[i] = append(b.Table.Rows[i], chance(corrected), flag(r, corrected, quotients[i]-1))
		}
		panel := plot.Panel{Title: "time of the variant by that of the lock", X: plot.Axis{Label: "processes", Log: true}, Y: plot.Axis{Log: true, Show: []float64{0.5, 2}}, Series: c.series(r)}
		for _, line := range panel.Series {
			for _, pt := range line.Points {
				if !slices.Contains(panel.X.Ticks, pt.X) {
					panel.X.Ticks = append(panel.X.Ticks, pt.X)
				}
			}
		}
		if panel.Series != nil {
			b.Figures = []template.HTML{draw(title+", "+r.title(), names, panel)}
		}
		if b.Table.Rows != nil {
			s.Blocks = append(s.Blocks, b)
		}
	}
	return s
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
func (in *Input) sideBySide(main []*Run, names []string) section {
	s := section{ID: "machines", Title: "Machines side by side",
		Says: "Medians and 95% intervals; p by Mann-Whitney with Holm's correction over the table. A change is flagged only where p is below 0.01 and it is 5% or more. Ranks are among the locks that both machines have."}
	if len(main) < 2 {
		return s
	}
	if b, ok := multiples(main, names); ok {
		s.Blocks = append(s.Blocks, b)
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
			line := []string{row.Name, cell(from), cell(to), number(100*change) + "%", chance(to.P), flag(nil, to.P, change), "", ""}
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

// multiples draws the cost of a passage on each machine, all with the same axes.
func multiples(main []*Run, names []string) (b block, ok bool) {
	b = block{Title: "Cost of a passage on each machine, the same axes", Small: true}
	closed := measures[0]
	var panels []plot.Panel
	var titles []string
	for _, r := range main {
		_, sets := r.sets()
		one, drawn := r.block(closed, sets[bench.Workload{}], names)
		if !drawn || one.panels == nil {
			continue
		}
		panels, titles = append(panels, one.panels[0]), append(titles, r.Label)
		head := slices.Insert(slices.Clone(one.Table.Head), 1, "machine")
		if b.Table.Head == nil || len(head) > len(b.Table.Head) {
			b.Table.Head = head
		}
		for _, row := range one.Table.Rows {
			b.Table.Rows = append(b.Table.Rows, slices.Insert(slices.Clone(row), 1, r.Label))
		}
	}
	if len(panels) < 2 {
		return b, false
	}
	b.Figures = small("Cost of a passage, ", titles, names, panels)
	return b, true
}

// small draws panels one by one, all with the same axes.
func small(what string, titles, chosen []string, panels []plot.Panel) (all []template.HTML) {
	names, panels := looks(panels, chosen)
	for i, p := range alike(titles, panels) {
		all = append(all, drawn(&plot.Figure{Title: what + titles[i], Names: names, Panels: []plot.Panel{p}, Ends: true}))
	}
	return all
}

// alike gives panels titles and the same axes.
func alike(titles []string, panels []plot.Panel) (all []plot.Panel) {
	var xs, ys, ticks []float64
	for _, p := range panels {
		ticks = append(ticks, p.X.Ticks...)
		for _, s := range p.Series {
			for _, pt := range s.Points {
				xs, ys = append(xs, pt.X), append(ys, pt.Y)
				for _, end := range []float64{pt.Low, pt.High} {
					if end > 0 && !math.IsInf(end, 0) {
						ys = append(ys, end)
					}
				}
			}
		}
	}
	slices.Sort(ticks)
	ticks = slices.Compact(ticks)
	for i, p := range panels {
		p.X.Show, p.Y.Show, p.X.Ticks = xs, ys, ticks
		unit := p.Title
		p.Title = titles[i] + ", " + unit
		all = append(all, p)
	}
	return all
}
