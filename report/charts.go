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
	all := in.Measured()
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
	draw := func(name, title string, p plot.Panel) {
		if p = only(p); len(p.Series) > 0 {
			looked, panels := looks([]plot.Panel{p}, names)
			charts[name] = plot.Figure{Title: title, Names: looked, Panels: panels, Wide: true, Marked: true, Ends: true}
		}
	}
	_, sets := r.sets()
	if b, ok := r.block(measures[0], sets[bench.Workload{}], all); ok && b.panels != nil {
		draw("cost", "Cost of a passage, "+r.machineName(), b.panels[0])
	}
	for _, b := range in.latency(all).Blocks {
		if b.of == r && b.panels != nil {
			draw("latency", "Latency, "+b.Title, b.panels[0])
			break
		}
	}
	for _, b := range in.waiting().Blocks {
		panels := slices.DeleteFunc(slices.Clone(b.panels), func(p plot.Panel) bool {
			lock, _, _ := strings.Cut(p.Title, ",")
			return !alg.MatchString(lock)
		})
		if b.of.machineName() == r.machineName() && b.of.folder() == r.folder() && len(panels) > 0 {
			charts["waiting"] = plot.Figure{Title: "Ways of waiting, " + b.Title, Names: policies[:4], Panels: panels[:min(3, len(panels))], Marked: true, Ends: true}
		}
	}
	return charts
}
