package benchfile

import (
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/results/stat"
)

// ByFork returns results that can be compared. Samples of one program depend on one another,
// by its addresses and its place on the machine. So if there were several programs, each
// benchmark has one result for each, with the medians of its samples. Results of different
// configuration stay apart.
func ByFork(results []*benchfmt.Result) []*benchfmt.Result {
	type key struct{ name, fork string }
	groups := map[key][]*benchfmt.Result{}
	varied := Varied(results)
	var order []key
	for _, r := range results {
		fork := r.GetConfig(bench.ForkKey)
		if fork == "" {
			return results
		}
		k := key{FullName(r, varied), fork}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], r)
	}
	var merged []*benchfmt.Result
	for _, k := range order {
		merged = append(merged, medians(groups[k]))
	}
	return merged
}

// medians returns the first of some results with the medians of all.
func medians(results []*benchfmt.Result) *benchfmt.Result {
	values := map[string][]float64{}
	var units []string
	for _, r := range results {
		for _, v := range r.Values {
			if values[v.Unit] == nil {
				units = append(units, v.Unit)
			}
			values[v.Unit] = append(values[v.Unit], v.Value)
		}
	}
	m := results[0].Clone()
	m.Values = nil
	for _, unit := range units {
		m.Values = append(m.Values, benchfmt.Value{Value: stat.Summary(values[unit]).Center, Unit: unit})
	}
	m.SetConfig(bench.ForkKey, "")
	return m
}
