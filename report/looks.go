package report

import (
	"cmp"
	"slices"

	"shmbench/bench"
	"shmbench/internal/plot"
)

// chosen names the locks that stand out in the charts, at most as many as there are looks,
// so that each looks the same on the whole page: what Go ships, the locks that the page
// recommends, and the best, the median and the worst of the first machine.
func (in *Input) chosen(main []*Run) (names []string) {
	add := func(name string) {
		if name != "" && len(names) < plot.Looks && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	measured := in.Measured()
	if slices.Contains(measured, "baseline/mutex") {
		add("baseline/mutex")
	}
	for _, r := range main {
		for _, name := range in.recommend(r).Locks {
			add(name)
		}
		if c := in.contest(r); len(c.locks) > 0 {
			add(c.locks[0].Name)
		}
		if len(names) > plot.Looks/2 {
			break
		}
	}
	for _, r := range main {
		w := bench.Workload{Procs: max(1, r.cores())}
		for _, t := range r.ranked.Tables {
			if n := len(t.Rows); t.Workload == w && n > 0 {
				for _, i := range []int{0, n - 1, n / 2, 1, n / 4, 3 * n / 4} {
					add(t.Rows[min(i, n-1)].Algorithm)
				}
			}
		}
	}
	for _, name := range measured {
		if len(measured) <= plot.Looks {
			add(name)
		}
	}
	return names
}

// looks gives series their looks: those of the page to the chosen ones, and the others to
// the rest, if there are few; otherwise the rest is quiet except the best, the median
// and the worst at the last point.
func looks(panels []plot.Panel, chosen []string) (names []string, out []plot.Panel) {
	names = make([]string, plot.Looks)
	var rest []plot.Series
	seen := map[string]bool{}
	for _, p := range panels {
		for _, s := range p.Series {
			if seen[s.Name] {
				continue
			}
			seen[s.Name] = true
			if i := slices.Index(chosen, s.Name); i >= 0 && i < plot.Looks {
				names[i] = s.Name
			} else {
				rest = append(rest, s)
			}
		}
	}
	slices.SortStableFunc(rest, func(a, b plot.Series) int { return cmp.Compare(lastOf(a), lastOf(b)) })
	give := func(name string) {
		if i := slices.Index(names, ""); i >= 0 && !slices.Contains(names, name) {
			names[i] = name
		}
	}
	if n := len(rest); len(seen) <= plot.Looks {
		for _, s := range rest {
			give(s.Name)
		}
	} else {
		for _, i := range []int{0, n - 1, n / 2} {
			give(rest[i].Name)
		}
	}
	for _, p := range panels {
		p.Series = slices.Clone(p.Series)
		for i := range p.Series {
			p.Series[i].Quiet = !slices.Contains(names, p.Series[i].Name)
		}
		out = append(out, p)
	}
	return names, out
}

func lastOf(s plot.Series) float64 {
	if len(s.Points) == 0 {
		return 0
	}
	return s.Points[len(s.Points)-1].Y
}
