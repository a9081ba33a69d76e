package report

import (
	"regexp"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/internal/plot"
)

// Charts are three charts of the page as figures that are files of their own: the cost
// of a passage, its latency, and ways of waiting, by these names. They are of
// the first machine and the locks that alg matches; what was not measured is not there.
func (in *Input) Charts(alg *regexp.Regexp) map[string]plot.Figure {
	charts := map[string]plot.Figure{}
	main := in.main()
	if len(main) == 0 {
		return charts
	}
	r := main[0]
	all := in.names()
	var names []string
	for _, name := range all {
		if alg.MatchString(name) {
			names = append(names, name)
		}
	}
	only := func(p plot.Panel) plot.Panel {
		p.Series = slices.DeleteFunc(slices.Clone(p.Series), func(s plot.Series) bool { return !alg.MatchString(s.Name) })
		return p
	}
	_, sets := r.sets()
	if b, ok := r.block(measures[0], sets[bench.Workload{}], all); ok && b.panels != nil {
		charts["cost"] = plot.Figure{Title: "Cost of a passage, " + r.machineName(), Names: names, Panels: []plot.Panel{only(b.panels[0])}, Wide: true, Marked: true}
	}
	for _, b := range in.latency(all).Blocks {
		if strings.HasPrefix(b.Title, r.title()+", ") && b.panels != nil {
			charts["latency"] = plot.Figure{Title: "Latency, " + b.Title, Names: names, Panels: []plot.Panel{only(b.panels[0])}, Wide: true, Marked: true}
			break
		}
	}
	for _, b := range in.waiting().Blocks {
		panels := slices.DeleteFunc(slices.Clone(b.panels), func(p plot.Panel) bool {
			lock, _, _ := strings.Cut(p.Title, ",")
			return !alg.MatchString(lock)
		})
		if b.Title == r.machineName() && len(panels) > 0 {
			charts["waiting"] = plot.Figure{Title: "Ways of waiting, " + b.Title, Names: policies[:4], Panels: panels[:min(3, len(panels))], Marked: true}
		}
	}
	return charts
}
