// Package artifact writes what a reviewer of a paper on a lock reruns: claims, comparisons, tables
// and plots, made of the documents of check and of a file of results.
package artifact

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/stat"
)

// Claims is what was decided of a lock for one n, as in a document of check.
type Claims map[string]any

// kept are the fields of a document of check that Claims has.
var kept = []string{"algorithm", "n", "passages", "memory", "states", "exhausted", "mutual_exclusion", "deadlock_freedom", "starvation_freedom", "fcfs",
	"doorway_wait_free", "exit_progress", "exit_wait_free", "data_race_freedom", "panic_freedom", "invariants", "modes", "bypass", "class", "registers", "rmr", "costs",
	"disagreements", "undecided", "refused", "starved"}

// ReadClaims reads a document of check -json.
func ReadClaims(document []byte) ([]Claims, error) {
	var d struct{ Results []Claims }
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("the verdicts are no document of shmbench check: %w", err)
	}
	for _, c := range d.Results {
		for key := range c {
			if !slices.Contains(kept, key) {
				delete(c, key)
			}
		}
	}
	return d.Results, nil
}

// Failed says whether a lock lacks what every lock must have, or differs from its specification.
func (c Claims) Failed() bool {
	for _, property := range []string{"mutual_exclusion", "deadlock_freedom", "exit_progress", "data_race_freedom", "panic_freedom"} {
		if c[property] == "violated" && c["modes"] == nil {
			return true
		}
	}
	return c["mutual_exclusion"] == "violated" || c["disagreements"] != nil
}

// Undecided says whether something that the lock must have is open.
func (c Claims) Undecided() bool { return c["undecided"] != nil || c["refused"] != nil }

// key names what the claims are of.
func (c Claims) key() string {
	mode := ""
	if c["modes"] != nil {
		mode = ", all modes"
	}
	return fmt.Sprintf("%v, n = %v%s", c["algorithm"], c["n"], mode)
}

// Differences says where verdicts are other ones than before.
func Differences(before, after []Claims) (says []string) {
	verdict := func(c Claims) string {
		text, _ := json.Marshal([]any{c["mutual_exclusion"], c["deadlock_freedom"], c["starvation_freedom"], c["fcfs"], c["exit_progress"], c["data_race_freedom"],
			c["panic_freedom"], c["bypass"], c["rmr"], c["disagreements"], c["undecided"], c["refused"]})
		return string(text)
	}
	for _, b := range before {
		i := slices.IndexFunc(after, func(a Claims) bool { return a.key() == b.key() })
		if i < 0 {
			says = append(says, b.key()+": there is no verdict any more")
		} else if was, is := verdict(b), verdict(after[i]); was != is {
			says = append(says, fmt.Sprintf("%s: the verdicts were %s, and are %s", b.key(), was, is))
		}
	}
	return says
}

// Cost is the time of a passage of a lock with some processes, in ns: a median with its interval.
type Cost struct {
	Lock           string
	Procs          int
	Center, Lo, Hi float64
	values         []float64
}

// Costs are the costs in a file of results, by processes and then as they come.
func Costs(results []*benchfmt.Result) (all []Cost) {
	for _, r := range results {
		lock, load, ok := bench.ParseName(r.Name)
		sec, has := r.Value("sec/op")
		if !ok || !has {
			continue
		}
		i := slices.IndexFunc(all, func(c Cost) bool { return c.Lock == lock && c.Procs == load.Procs })
		if i < 0 {
			i, all = len(all), append(all, Cost{Lock: lock, Procs: load.Procs})
		}
		all[i].values = append(all[i].values, sec*1e9)
	}
	for i := range all {
		s := stat.Summary(all[i].values)
		all[i].Center, all[i].Lo, all[i].Hi = s.Center, s.Lo, s.Hi
	}
	slices.SortStableFunc(all, func(a, b Cost) int { return a.Procs - b.Procs })
	return all
}

// Comparison is a lock beside another one with as many processes.
type Comparison struct {
	Lock, Against string
	Procs         int
	Ratio         float64 // of the medians
	P             float64 // of the Mann-Whitney test, corrected for all comparisons
	Apart         int     // -1 if the interval of the lock lies below the other one, 1 above, 0 if they overlap
}

// Compare compares a lock with all others.
func Compare(costs []Cost, lock string) (all []Comparison) {
	var p []float64
	for _, a := range costs {
		for _, b := range costs {
			if a.Lock != lock || b.Lock == lock || a.Procs != b.Procs || bench.IsNull(b.Lock) {
				continue
			}
			c := Comparison{Lock: lock, Against: b.Lock, Procs: a.Procs, Ratio: a.Center / b.Center}
			if a.Hi < b.Lo {
				c.Apart = -1
			} else if b.Hi < a.Lo {
				c.Apart = 1
			}
			all, p = append(all, c), append(p, stat.Differ(a.values, b.values))
		}
	}
	for i, corrected := range stat.Holm(p) {
		all[i].P = corrected
	}
	return all
}

// Reversed says which orders are reversed beyond the intervals.
func Reversed(before, after []Comparison) (says []string) {
	for _, b := range before {
		for _, a := range after {
			if a.Against == b.Against && a.Procs == b.Procs && a.Apart*b.Apart < 0 {
				says = append(says, fmt.Sprintf("%s and %s with %d processes: the medians had the ratio %.3g, and have %.3g, and neither time the intervals overlap",
					b.Lock, b.Against, b.Procs, b.Ratio, a.Ratio))
			}
		}
	}
	return says
}

// latex escapes a text for LaTeX.
var latex = strings.NewReplacer(`\`, `\textbackslash{}`, "_", `\_`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "^", `\^{}`, "~", `\~{}`, "⌈", `$\lceil$`, "⌉", `$\rceil$`)

// Tables are the tables of claims and of costs for LaTeX, which need the package booktabs.
func Tables(claims []Claims, comparisons []Comparison) string {
	var b strings.Builder
	row := func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(latex.Replace(fmt.Sprint(c)))
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("% \\usepackage{booktabs}\n\\begin{tabular}{lrrllllr}\n\\toprule\n")
	row("lock", "n", "states", "exclusion", "deadlock freedom", "starvation freedom", "FCFS", "bypass")
	b.WriteString("\\midrule\n")
	for _, c := range claims {
		bypass := c["bypass"]
		if bypass == float64(-1) {
			bypass = "unbounded"
		} else if bypass == nil {
			bypass = "unknown"
		}
		name := fmt.Sprint(c["algorithm"])
		if c["modes"] != nil {
			name += ", all modes"
		}
		row(name, c["n"], c["states"], c["mutual_exclusion"], c["deadlock_freedom"], c["starvation_freedom"], c["fcfs"], bypass)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\n\\begin{tabular}{llrrr}\n\\toprule\n")
	row("lock", "against", "processes", "ratio", "p")
	b.WriteString("\\midrule\n")
	for _, c := range comparisons {
		row(c.Lock, c.Against, c.Procs, fmt.Sprintf("%.3g", c.Ratio), fmt.Sprintf("%.2g", c.P))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return b.String()
}
