package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/internal/plot"
	"shmbench/report/rank"
)

// What the template reads.
type (
	section struct {
		ID, Title, Says string
		Blocks          []block
	}
	block struct {
		Title, Note string
		Small       bool // figures that stand beside one another
		Figures     []template.HTML
		Table       table
		of          *Run         // that it shows, or the first of several of one machine; nil: of several machines
		panels      []plot.Panel // that the figures are of, if all are of one scale
	}
	table struct {
		Head []string
		Rows [][]string
	}
)

// measure is a value that is drawn against the number of processes.
type measure struct {
	id, title, says, label string
	unit                   string // tidied
	scale                  float64
	log                    bool
}

var measures = []measure{
	{"cost", "Cost of a passage", "Wall time of a passage, all processes together: median and 95% interval of all samples.", "ns a passage", "sec/op", 1e9, true},
	{"transfers", "Cost in cache-line transfers", "The time of a passage divided by that of moving a cache line, measured just before: what is left when machines of different speed are compared.", "transfers a passage", "xfers/op", 1, true},
	{"handover", "Handoff", "From Unlock to the next process's return from Lock, the median of a sample.", "ns", "handoff-sec", 1e9, true},
	{"fairness", "Fairness over short windows", "Jain's index over windows of ten passages a process: 1 if all had the same number, 1/n if one had all.", "Jain's index", "jain-short", 1, false},
	{"runs", "Longest run of one process", "The most passages that one process made in a row, while others waited.", "passages", "longest-run", 1, true},
}

// Measured names all locks with results, in one order, so that a lock looks the same
// in every chart.
func (in *Input) Measured() []string {
	set := map[string]bool{}
	for _, r := range in.Runs {
		for _, t := range r.ranked.Tables {
			for _, row := range t.Rows {
				set[row.Algorithm] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// sets groups the tables of a run that differ in the number of processes only.
// Open loops are for a section of their own.
func (r *Run) sets() (keys []bench.Workload, sets map[bench.Workload][]int) {
	sets = map[bench.Workload][]int{}
	for i, t := range r.ranked.Tables {
		w := t.Workload
		if w.Rate > 0 || w.Procs < 1 {
			continue
		}
		if w.Procs = 0; sets[w] == nil {
			keys = append(keys, w)
		}
		sets[w] = append(sets[w], i)
	}
	return keys, sets
}

func (in *Input) against(m measure, names []string) section {
	s := section{ID: m.id, Title: m.title, Says: m.says}
	for _, r := range in.Runs {
		keys, sets := r.sets()
		for _, w := range keys {
			_, load, _ := strings.Cut(w.String(), " ")
			if b, ok := r.block(m, sets[w], names); ok {
				b.Title = r.title() + ", " + load
				s.Blocks = append(s.Blocks, b)
			}
		}
	}
	return s
}

func (r *Run) block(m measure, tables []int, names []string) (b block, ok bool) {
	c, procs, left := newCurves(), []float64{}, 0
	for _, i := range tables {
		t := r.ranked.Tables[i]
		procs = append(procs, float64(t.Workload.Procs))
		c.column(fmt.Sprintf("processes: %d", t.Workload.Procs))
		for _, row := range t.Rows {
			values := row.All[m.unit]
			if len(values) == 0 {
				continue
			}
			text := scaled(values, m.scale)
			if !row.Ranked {
				text += ", doubtful: " + row.Doubt
			}
			c.cell(row.Algorithm, text)
			pt := median(float64(t.Workload.Procs), values, m.scale)
			if m.log && pt.Y <= 0 || math.IsNaN(pt.Y) || math.IsInf(pt.Y, 0) {
				left++
				continue
			}
			c.point(row.Algorithm, pt)
		}
	}
	if len(c.cells) == 0 {
		return b, false
	}
	b.Table = c.table("lock")
	if left > 0 {
		b.Note = fmt.Sprintf("Points that are 0, and so not on the logarithmic axis: %d. See the table.", left)
	}
	p := plot.Panel{X: plot.Axis{Label: "processes", Log: true, Ticks: procs}, Y: plot.Axis{Log: m.log}, Title: m.label, Series: c.series(r)}
	if len(p.Series) == 0 {
		return b, true
	}
	b.panels = []plot.Panel{p}
	b.Figures = []template.HTML{draw(m.title+" against processes, "+r.title(), names, p)}
	return b, true
}

// draw draws a wide panel, in which the chosen series stand out.
func draw(title string, chosen []string, p plot.Panel) template.HTML {
	names, panels := looks([]plot.Panel{p}, chosen)
	return drawn(&plot.Figure{Title: title, Names: names, Panels: panels, Wide: true, Ends: true})
}

// drawn is a figure in the page, or why there is none.
func drawn(f interface{ WriteInline(io.Writer) error }) template.HTML {
	var svg strings.Builder
	if err := f.WriteInline(&svg); err != nil {
		return template.HTML("<p>" + template.HTMLEscapeString("Not drawn: "+err.Error()) + "</p>")
	}
	return template.HTML(strings.ReplaceAll(svg.String(), ">\n", ">"))
}

// percentiles are those of latency, at 1/(1-p), where the next digit of p is as
// far as the last.
var percentiles = []struct {
	name, unit string
	at         float64
}{{"50%", "p50-sec", 2}, {"90%", "p90-sec", 10}, {"99%", "p99-sec", 100}, {"99.9%", "p99.9-sec", 1000}}

func (in *Input) latency(names []string) section {
	s := section{ID: "latency", Title: "Latency",
		Says: "From calling Lock to its return: the percentiles of each sample, and of these the median and 95% interval over all samples. Percentile p stands at 1/(1-p), on a logarithmic axis. The maximum is in the table only."}
	for _, r := range in.Runs {
		for _, t := range r.ranked.Tables {
			if t.Workload.Procs < 2 || t.Workload.Rate > 0 {
				continue
			}
			b := block{of: r, Title: r.title() + ", " + t.Workload.String(), Table: table{Head: []string{"lock, ns"}}}
			p := plot.Panel{Title: "latency, ns", X: plot.Axis{Label: "percentile", Log: true, Ticks: []float64{2, 10, 100, 1000}, TickNames: []string{"50%", "90%", "99%", "99.9%"}}, Y: plot.Axis{Log: true}}
			for _, q := range percentiles {
				b.Table.Head = append(b.Table.Head, q.name)
			}
			b.Table.Head = append(b.Table.Head, "most")
			rows := slices.Clone(t.Rows)
			slices.SortFunc(rows, func(a, b2 rank.Row) int { return cmp.Compare(a.Algorithm, b2.Algorithm) })
			for _, row := range rows {
				line := []string{row.Algorithm}
				series := plot.Series{Name: row.Algorithm, Reference: r.Model != ""}
				for _, q := range percentiles {
					values := row.All[q.unit]
					if len(values) == 0 {
						line = append(line, "")
						continue
					}
					line = append(line, spread(values))
					if pt := median(q.at, values, 1e9); pt.Y > 0 {
						series.Points = append(series.Points, pt)
					}
				}
				if v, ok := row.Values["max-sec"]; ok {
					line = append(line, number(v*1e9))
				} else {
					line = append(line, "")
				}
				if series.Points != nil {
					p.Series = append(p.Series, series)
					b.Table.Rows = append(b.Table.Rows, line)
				}
			}
			if p.Series != nil {
				b.panels = []plot.Panel{p}
				b.Figures = []template.HTML{draw("Latency, "+b.Title, names, p)}
				s.Blocks = append(s.Blocks, b)
			}
		}
	}
	return s
}
