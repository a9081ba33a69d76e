package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shmbench/bench"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/words"
	"shmbench/predict/compiled"
)

// predictColumns are the figures that the table has, by their units.
var predictColumns = []struct{ head, unit string }{
	{"handoff", "handoff-ns"}, {"moves", compiled.TransfersPerOp}, {"mean", "mean-ns"}, {"p50", "p50-ns"}, {"p99", "p99-ns"}, {"max", "max-ns"},
	{"jain", "jain"}, {"run", "longest-run"}, {"bypass", "bypass"},
}

const predictLegend = `Times in ns, of the model. ns/op: time of a passage, all processes together; times: multiple of the first row; handoff: from
Unlock to the next process's return from Lock, the median; moves: cache lines moved in a passage; mean, p50, p99, max: from calling
Lock to its return; jain: Jain's fairness index; run: most passages of one process in a row; bypass: most passages of others
during one wait; *: the row is not ranked, because %d accesses to shared memory (-accesses) ended before every process
had made its passages.
`

// writeText prints a table for each number of processes.
func (p *prediction) writeText(w io.Writer) error {
	for _, line := range words.Fold(capital(about(p.machine))+".", 120) {
		fmt.Fprintln(w, line)
	}
	for rest := p.points; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(x *point) bool { return x.trial.Workload != rest[0].trial.Workload })
		if end < 0 {
			end = len(rest)
		}
		if err := p.writeTable(w, rest[:end]); err != nil {
			return err
		}
		rest = rest[end:]
	}
	_, err := fmt.Fprintf(w, "\n"+predictLegend, p.budget())
	return err
}

// budget is the most accesses of a point.
func (p *prediction) budget() int64 {
	if len(p.points) == 0 {
		return 0
	}
	return p.points[0].trial.Accesses
}

func (p *prediction) writeTable(w io.Writer, points []*point) error {
	points = slices.DeleteFunc(slices.Clone(points), func(x *point) bool { return x.result == nil })
	if len(points) == 0 {
		return nil
	}
	load := points[0].load()
	by := func(x *point) float64 {
		unit := "ns/op"
		if load.Rate > 0 {
			unit = "mean-ns"
		}
		v, _ := x.result.Get(unit)
		return v
	}
	short := func(x *point) int {
		if x.result.Short {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(points, func(a, b *point) int {
		return cmp.Or(short(a)-short(b), cmp.Compare(by(a), by(b)), cmp.Compare(a.trial.Lock, b.trial.Lock))
	})
	fmt.Fprintf(w, "\n%v\n", load)
	tw := table.Right(w)
	fmt.Fprint(tw, "#\talgorithm\tns/op\ttimes\t")
	for _, c := range predictColumns {
		fmt.Fprint(tw, c.head, "\t")
	}
	fmt.Fprintln(tw)
	for i, x := range points {
		at, times := strconv.Itoa(i+1), fmt.Sprintf("%.2f", by(x)/by(points[0]))
		if x.result.Short {
			at, times = "*", "-"
		}
		ns, _ := x.result.Get("ns/op")
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t", at, x.trial.Lock, figure(ns), times)
		for _, c := range predictColumns {
			cell := "-"
			if v, ok := x.result.Get(c.unit); ok {
				cell = figure(v)
			}
			fmt.Fprint(tw, cell, "\t")
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, x := range points {
		if p.explain {
			if err := explain(w, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// explain prints where the transfers of a passage come from.
func explain(w io.Writer, x *point) error {
	fmt.Fprintf(w, "\n%s, %d processes: ", x.trial.Lock, x.trial.Workload.Procs)
	if len(x.result.Sites) == 0 {
		_, err := fmt.Fprintln(w, "no cache line moves")
		return err
	}
	fmt.Fprintln(w, "cache lines moved in a passage, the longest waited for first")
	tw := table.New(w, "ns", "source", "register", "for a", "moves, by distance")
	for _, s := range x.result.Sites {
		kind := "load"
		if s.Write {
			kind = "write"
		}
		var moves []string
		for _, distance := range slices.Sorted(maps.Keys(s.Transfers)) {
			moves = append(moves, fmt.Sprintf("%s %s", distance, figure(s.Transfers[distance])))
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", figure(s.NS), s.Source, cmp.Or(s.Register, "?"), kind, strings.Join(moves, ", "))
	}
	return tw.Flush()
}

// writeJSON prints the points with all that is known of them.
func (p *prediction) writeJSON(w io.Writer) error {
	type out struct {
		Name      string             `json:"name"`
		Passages  uint64             `json:"passages"`
		Values    []bench.Value      `json:"values"`
		Transfers map[string]float64 `json:"transfers"`
		Accesses  int64              `json:"accesses"`
		Short     bool               `json:"short"`
		// The most remote memory references of a passage in the run.
		References compiled.References `json:"references"`
		Sites      []compiled.Site     `json:"sites,omitempty"`
	}
	points := []out{}
	for _, x := range p.points {
		if r := x.result; r != nil {
			l := x.line()
			points = append(points, out{l.Name, l.Iterations, l.Values, r.Transfers, r.Accesses, r.Short, r.References, r.Sites})
		}
	}
	return writeJSON(w, "predict", p.missing() == "", struct {
		About   string `json:"about"`
		Machine any    `json:"machine"`
		Most    int64  `json:"most_accesses"` // of a point
		Points  []out  `json:"points"`
	}{about(p.machine), p.machine, p.budget(), points})
}

// figure formats v with three digits or more.
func figure(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
