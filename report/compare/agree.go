package compare

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/results/stat"
)

// mostAlarms is the part of the comparisons of a thing with itself that may show
// a difference.
const mostAlarms = 0.05

// Agreement is whether reruns of the same measurement agree: each comparison is
// of a whole rerun, all benchmarks together, and is an alarm if any shows a
// significant difference after Holm's correction.
type Agreement struct {
	// Names compares the two names that each lock has, in each rerun; Reruns each
	// rerun with the next.
	Names  Alarms `json:"names"`
	Reruns Alarms `json:"reruns"`
}

// Alarms are comparisons of the same with the same.
type Alarms struct {
	Comparisons int      `json:"comparisons"`
	Benchmarks  int      `json:"benchmarks"` // in each comparison
	Found       []string `json:"found"`      // a line for each alarm
}

// Agree compares reruns with themselves and with one another. Each lock has two
// names; one of them ends with bench.Again.
func Agree(reruns [][]*benchfmt.Result) *Agreement {
	a := new(Agreement)
	var before map[string][]float64
	for i, results := range reruns {
		first, second, all := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
		for _, r := range benchfile.ByFork(results) {
			algorithm, w, ok := bench.ParseName(r.Name)
			v, measured := r.Value(bench.RankUnit(w))
			if !ok || !measured || bench.IsNull(algorithm) || bench.Doubt(r) != "" {
				continue
			}
			plain, again := strings.CutSuffix(algorithm, bench.Again)
			into := first
			if again {
				into = second
			}
			into[w.Name(plain)] = append(into[w.Name(plain)], v)
			all[w.Name(algorithm)] = append(all[w.Name(algorithm)], v)
		}
		a.Names.compare(fmt.Sprintf("rerun %d", i+1), first, second)
		if i > 0 {
			a.Reruns.compare(fmt.Sprintf("reruns %d and %d", i, i+1), before, all)
		}
		before = all
	}
	return a
}

func (a *Alarms) compare(what string, first, second map[string][]float64) {
	var names []string
	var p []float64
	for name, values := range first {
		if other := second[name]; other != nil {
			names, p = append(names, name), append(p, stat.Differ(values, other))
		}
	}
	if names == nil {
		return
	}
	a.Comparisons++
	a.Benchmarks = max(a.Benchmarks, len(names))
	least, worst := 1.0, ""
	for i, corrected := range stat.Holm(p) {
		if corrected < least || worst == "" {
			least, worst = corrected, names[i]
		}
	}
	if least < stat.Significant {
		change := stat.Summary(second[worst]).Center/stat.Summary(first[worst]).Center - 1
		a.Found = append(a.Found, fmt.Sprintf("%s: %s %+.1f%%, p = %.3f", what, worst, 100*change, least))
	}
}

// Holds reports whether at most one comparison in twenty was an alarm.
func (a Alarms) Holds() bool {
	return float64(len(a.Found)) <= max(1, mostAlarms*float64(a.Comparisons))
}

// WriteText writes how many alarms there were, and each of them. It writes nothing about comparisons that were not made.
func (a *Agreement) WriteText(w io.Writer) error {
	for _, part := range []struct {
		what string
		Alarms
	}{{"between the two names of each lock", a.Names}, {"between a rerun and the next", a.Reruns}} {
		if part.Comparisons == 0 {
			continue
		}
		verdict := "no more than chance explains"
		if !part.Holds() {
			verdict = "MORE THAN ONE IN TWENTY"
		}
		if _, err := fmt.Fprintf(w, "%d of %d comparisons %s, of %d benchmarks each, show a significant difference: %s\n",
			len(part.Found), part.Comparisons, part.what, part.Benchmarks, verdict); err != nil {
			return err
		}
		for _, line := range part.Found {
			fmt.Fprintln(w, "  "+line)
		}
	}
	return nil
}
