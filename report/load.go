package report

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"

	"shmbench/bench"
	"shmbench/internal/plot"
)

// load draws latency against the load that is offered in open loops.
func (in *Input) load(names []string) section {
	s := section{ID: "load", Title: "Latency against offered load",
		Says: "Time from when a passage was due to the return of Lock, in an open loop (shmbench run -rate sweep): of each sample the median, the 99th percentile and the mean, " +
			"and of these the median and 95% interval over all samples. The load is that of all processes together. " +
			"A line ends where its lock was saturated: what it could not reach is in the table only. Where the machine stalls for milliseconds, as virtual ones do, the mean is that of the stalls."}
	for _, r := range in.Runs {
		sets := map[bench.Workload][]int{}
		for i, t := range r.ranked.Tables {
			if w := t.Workload; w.Rate > 0 && w.Procs > 0 {
				w.Rate = 0
				sets[w] = append(sets[w], i)
			}
		}
		keys := slices.SortedFunc(maps.Keys(sets), func(a, b bench.Workload) int {
			return cmp.Or(cmp.Compare(a.Procs, b.Procs), cmp.Compare(a.CS, b.CS), cmp.Compare(a.Lines, b.Lines))
		})
		for _, w := range keys {
			for _, l := range latencies {
				if b := r.underLoad(w, sets[w], names, l.unit, l.name); b.Table.Rows != nil {
					s.Blocks = append(s.Blocks, b)
				}
			}
		}
	}
	return s
}

// latencies are what is drawn of a sample of an open loop.
var latencies = []struct{ unit, name string }{{"p50-sec", "median latency"}, {"p99-sec", "99th percentile of latency"}, {"mean-sec", "mean latency"}}

func (r *Run) underLoad(w bench.Workload, tables []int, names []string, unit, name string) block {
	b, c := block{Title: r.title() + ", " + w.String() + ", " + name}, newCurves()
	for _, i := range tables {
		t := r.ranked.Tables[i]
		offered := t.Workload.Rate * float64(t.Workload.Procs)
		c.column(number(offered) + "/s")
		for _, row := range t.Rows {
			values := row.All[unit]
			if len(values) == 0 {
				continue
			}
			if !row.Ranked {
				c.cell(row.Algorithm, spread(values)+", saturated: "+row.Doubt)
				continue
			}
			c.cell(row.Algorithm, spread(values))
			if pt := median(offered, values, 1e9); pt.Y > 0 {
				c.point(row.Algorithm, pt)
			}
		}
	}
	b.Table = c.table("lock, ns")
	p := plot.Panel{Title: name + ", ns", X: plot.Axis{Label: "arrivals a second, all processes", Log: true}, Y: plot.Axis{Log: true}, Series: c.series(r)}
	if p.Series != nil {
		b.Figures = []template.HTML{draw("Latency against offered load, "+b.Title, names, p)}
	}
	return b
}

// policies are the names that ways of waiting have, in one order.
var policies = []string{"pause-yield", "busy", "pause", "yield", "turns"}

// waiting draws, lock by lock, what each way of waiting costs, of runs on one machine
// that differ in it.
func (in *Input) waiting() section {
	s := section{ID: "waiting", Title: "Waiting policies and oversubscription",
		Says: "Time of a passage against processes by how processes wait, a lock a chart, all with the same axes: median and 95% interval. With more processes than processors, the next process may not be running."}
	done := map[string]bool{}
	for _, r := range in.Runs {
		key := r.machine()
		if done[key] || r.Model != "" {
			continue
		}
		done[key] = true
		var runs []*Run // one for each policy; of several the one of a commit that another policy has too, or the first
		for _, policy := range policies {
			var best *Run
			for _, o := range in.Runs {
				if o.machine() == key && o.config("wait") == policy && (best == nil || in.shares(o) > in.shares(best)) {
					best = o
				}
			}
			if best != nil {
				runs = append(runs, best)
			}
		}
		if len(runs) > 1 {
			if b, ok := waitingOn(runs); ok {
				s.Blocks = append(s.Blocks, b)
			}
		}
	}
	return s
}

// shares counts the runs of r's machine and commit.
func (in *Input) shares(r *Run) (n int) {
	for _, o := range in.Runs {
		if o.machine() == r.machine() && o.config("commit") == r.config("commit") {
			n++
		}
	}
	return n
}

func waitingOn(runs []*Run) (block, bool) {
	b := block{of: runs[0], Small: true, Title: runs[0].machineName() + " (" + runs[0].folder() + ")", Table: table{Head: []string{"lock", "waiting", "file"}}}
	if cores := runs[0].cores(); cores > 0 {
		b.Note = fmt.Sprintf("Above %d processes there are more than processors.", cores)
	}
	w := waitsOf(runs)
	for _, n := range w.procs {
		b.Table.Head = append(b.Table.Head, fmt.Sprintf("processes: %g, ns", n))
	}
	var panels []plot.Panel
	var titles []string
	for _, lock := range slices.Sorted(maps.Keys(w.policies)) {
		if w.policies[lock] < 2 {
			continue
		}
		p := plot.Panel{Title: "ns a passage", X: plot.Axis{Label: "processes", Log: true, Ticks: w.procs}, Y: plot.Axis{Log: true}}
		for _, r := range runs {
			k := lockWaits{lock, r.config("wait")}
			if w.cells[k] == nil {
				continue
			}
			line := []string{lock, k.policy, r.Label}
			for _, n := range w.procs {
				line = append(line, w.cells[k][int(n)])
			}
			b.Table.Rows = append(b.Table.Rows, line)
			if w.points[k] != nil {
				p.Series = append(p.Series, plot.Series{Name: k.policy, Points: w.points[k]})
			}
		}
		if p.Series != nil {
			panels, titles = append(panels, p), append(titles, lock)
		}
	}
	if panels == nil {
		return b, false
	}
	b.panels = alike(titles, panels)
	b.Figures = small("Ways of waiting, ", titles, policies, panels)
	return b, true
}

// lockWaits is a lock and how its processes wait.
type lockWaits struct{ lock, policy string }

// waits are the times per passage of locks with several ways of waiting.
type waits struct {
	procs    []float64 // the measured numbers of processes, in order
	points   map[lockWaits][]plot.Point
	cells    map[lockWaits]map[int]string // by number of processes
	policies map[string]int               // ways of waiting of each lock
}

// waitsOf collects the times per passage without work inside or outside of the critical
// section.
func waitsOf(runs []*Run) waits {
	w := waits{points: map[lockWaits][]plot.Point{}, cells: map[lockWaits]map[int]string{}, policies: map[string]int{}}
	for _, r := range runs {
		for _, t := range r.ranked.Tables {
			n := t.Workload.Procs
			if t.Workload != (bench.Workload{Procs: n}) {
				continue
			}
			for _, row := range t.Rows {
				if values := row.All["sec/op"]; len(values) > 0 {
					w.add(lockWaits{row.Algorithm, r.config("wait")}, n, values)
				}
			}
		}
	}
	slices.Sort(w.procs)
	return w
}

// add adds the times of n processes, in seconds.
func (w *waits) add(k lockWaits, n int, seconds []float64) {
	if w.cells[k] == nil {
		w.cells[k] = map[int]string{}
		w.policies[k.lock]++
	}
	w.cells[k][n] = spread(seconds)
	if pt := median(float64(n), seconds, 1e9); pt.Y > 0 {
		w.points[k] = append(w.points[k], pt)
	}
	if !slices.Contains(w.procs, float64(n)) {
		w.procs = append(w.procs, float64(n))
	}
}
