package report

import (
	"fmt"
	"html/template"

	"shmbench/bench"
	"shmbench/internal/cli/words"
	"shmbench/internal/plot"
	"shmbench/report/rank"
)

// lengths draws cost against the length of the critical section, or of the remainder
// section, in runs that vary it.
func (in *Input) lengths(id, title, option, flag string, chosen []string, length func(t rank.Table) (float64, bool)) section {
	s := section{ID: id, Title: title, Says: "Wall time of a passage against " + option + " (shmbench run -" + flag + " sweep). Where two lines cross, another lock is the better one."}
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
				b.Title = fmt.Sprintf("%s, %s", r.title(), words.Counted(n, "process", "processes"))
				s.Blocks = append(s.Blocks, b)
			}
		}
	}
	return s
}

func overLength(r *Run, tables []rank.Table, title string, chosen []string, length func(t rank.Table) (float64, bool)) (b block, ok bool) {
	c, longest := newCurves(), 0
	for _, t := range tables {
		x, _ := length(t)
		c.column(number(x) + " ns")
		for _, row := range t.Rows {
			values := row.All["sec/op"]
			if len(values) == 0 {
				continue
			}
			c.cell(row.Algorithm, spread(values))
			if pt := median(x, values, 1e9); x > 0 && pt.Y > 0 {
				c.point(row.Algorithm, pt)
				longest = max(longest, len(c.points[row.Algorithm]))
			}
		}
	}
	if longest < 2 {
		return b, false
	}
	b.Table = c.table("lock, ns")
	p := plot.Panel{Title: "ns a passage", X: plot.Axis{Label: "ns of work", Log: true}, Y: plot.Axis{Log: true}, Series: c.series(r)}
	b.Figures = []template.HTML{draw(title+", "+r.title(), chosen, p)}
	return b, true
}

// critical and remainder are the lengths that lengths draws against.
func critical(t rank.Table) (float64, bool) {
	w := t.Workload
	return float64(w.CS.Nanoseconds()), w == bench.Workload{Procs: w.Procs, CS: w.CS}
}

func remainder(t rank.Table) (float64, bool) {
	w := t.Workload
	return float64(w.NCS.Nanoseconds()), w == bench.Workload{Procs: w.Procs, NCS: w.NCS}
}
