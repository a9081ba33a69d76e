package artifact

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"shmbench/check"
	"shmbench/shm"
)

// latex escapes a text for LaTeX.
var latex = strings.NewReplacer(`\`, `\textbackslash{}`, "_", `\_`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "^", `\^{}`, "~", `\~{}`,
	"⌈", `$\lceil$`, "⌉", `$\rceil$`)

// tabular is a table for LaTeX, which needs the package booktabs.
type tabular struct{ strings.Builder }

// newTabular begins a table with a caption as a comment, the columns' alignments, and their heads.
func newTabular(caption, columns string, heads ...any) *tabular {
	t := new(tabular)
	fmt.Fprintf(t, "%% %s\n\\begin{tabular}{%s}\n\\toprule\n", caption, columns)
	t.row(heads...)
	t.WriteString("\\midrule\n")
	return t
}

func (t *tabular) row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			t.WriteString(" & ")
		}
		t.WriteString(latex.Replace(fmt.Sprint(c)))
	}
	t.WriteString(" \\\\\n")
}

func (t *tabular) end() string {
	t.WriteString("\\bottomrule\n\\end{tabular}\n")
	return t.String()
}

// Tables are the tables of verdicts, of worst cases and of measurements for LaTeX. A lock that could
// not be checked is in none of the first two.
func Tables(claims []*check.Report, costs []Cost, comparisons []Comparison) string {
	return "% These tables need \\usepackage{booktabs}.\n\n" + strings.Join([]string{
		verdictTable(claims), referenceTable(claims), costTable(costs), comparisonTable(comparisons),
	}, "\n")
}

func verdictTable(claims []*check.Report) string {
	t := newTabular("Verdicts of the model checker for n processes.", "lrrllllr", "lock", "n", "states", "exclusion", "deadlock freedom", "starvation freedom", "FCFS", "bypass")
	for _, r := range claims {
		if r.Refused == "" {
			t.row(name(r), r.N, r.States, r.MutualExclusion, r.DeadlockFreedom, r.StarvationFreedom, r.FCFS, count(r.Bypass))
		}
	}
	return t.end()
}

func referenceTable(claims []*check.Report) string {
	t := newTabular("Most remote memory references: of a passage with n processes, of one without contention, and the worst mean over infinite executions.", "lrlrrr",
		"lock", "n", "model", "passage", "uncontended", "amortized")
	for _, r := range claims {
		if r.RMR == nil {
			continue
		}
		for _, m := range shm.RMRModels {
			found := r.RMR.In(m)
			t.row(name(r), r.N, modelNames[m], count(found.Among), count(found.Alone), amortized(r.Costs, m))
		}
	}
	return t.end()
}

// modelNames names the models of remote memory references.
var modelNames = map[shm.RMRModel]string{shm.WriteThrough: "coherent caches, write-through", shm.WriteBack: "coherent caches, write-back", shm.Distributed: "distributed memory"}

func amortized(c *check.Costs, m shm.RMRModel) string {
	if c == nil || c.Amortized == nil {
		return "unknown"
	}
	return cmp.Or(c.Amortized.In(m), "unknown")
}

// count is a bound that check found.
func count(bound *int) string {
	switch {
	case bound == nil:
		return "unknown"
	case *bound < 0:
		return "unbounded"
	}
	return fmt.Sprint(*bound)
}

func costTable(costs []Cost) string {
	t := newTabular("Time of a passage in ns: median and 95 % interval.", "lrrrr", "lock", "processes", "median", "low", "high")
	for _, c := range costs {
		t.row(c.Lock, c.Procs, digits(c.Center), digits(c.Lo), digits(c.Hi))
	}
	return t.end()
}

func comparisonTable(comparisons []Comparison) string {
	t := newTabular("Ratios of the medians, and p-values (Mann-Whitney, corrected by Holm).", "llrrr", "lock", "against", "processes", "ratio", "p")
	for _, c := range comparisons {
		t.row(c.Lock, c.Against, c.Procs, digits(c.Ratio), fmt.Sprintf("%.2g", c.P))
	}
	return t.end()
}

// digits is a number, or an end of an interval that too few samples leave open.
func digits(x float64) string {
	if math.IsInf(x, 0) {
		return "unknown"
	}
	return fmt.Sprintf("%.3g", x)
}
