package survey

import (
	"fmt"
	"io"
	"math"
	"slices"

	"shmbench/distributed/sim"
	"shmbench/internal/cli/table"
	"shmbench/internal/plot"
)

func idleOf(p *ScalePoint) sim.Number { return p.Idle }
func busyOf(p *ScalePoint) sim.Number { return p.Busy }

// ScalePoints is what Scale measured.
type ScalePoints []ScalePoint

// WriteText writes the points as text, with the exponent of each algorithm.
func (points ScalePoints) WriteText(w io.Writer) error {
	var names []string
	var nodes []int
	for _, p := range points {
		if !slices.Contains(names, p.Algorithm) {
			names = append(names, p.Algorithm)
		}
		if !slices.Contains(nodes, p.Nodes) {
			nodes = append(nodes, p.Nodes)
		}
	}
	for _, load := range []struct {
		title   string
		of      func(p *ScalePoint) sim.Number
		leftOut func(p *ScalePoint) string
	}{
		{"no load", idleOf, func(p *ScalePoint) string { return p.IdleLeftOut }},
		{"full load", busyOf, func(p *ScalePoint) string { return p.BusyLeftOut }},
	} {
		fmt.Fprintf(w, "messages an entry at %s, against the number of nodes\n", load.title)
		t := table.Right(w)
		fmt.Fprint(t, "algorithm\t")
		for _, n := range nodes {
			fmt.Fprintf(t, "%d\t", n)
		}
		fmt.Fprintln(t, "grows as\t")
		for _, name := range names {
			fmt.Fprintf(t, "%s\t", name)
			for i := range points {
				if p := &points[i]; p.Algorithm == name {
					if v := float64(load.of(p)); math.IsNaN(v) {
						fmt.Fprint(t, "–\t")
					} else {
						fmt.Fprintf(t, "%.4g\t", v)
					}
				}
			}
			fmt.Fprintf(t, "%v\t\n", growthOf(points, name, load.of))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		last := ""
		for i := range points {
			p := &points[i]
			if why := load.leftOut(p); why != "" && p.Algorithm != last {
				fmt.Fprintf(w, "– %s, from %d nodes on: %s\n", p.Algorithm, p.Nodes, why)
				last = p.Algorithm
			}
		}
		fmt.Fprintln(w)
	}
	return nil
}

// WriteScaleFigure draws points, both axes logarithmic.
func WriteScaleFigure(w io.Writer, points []ScalePoint) error {
	panel := func(title string, of func(p *ScalePoint) (mean, half sim.Number)) plot.Panel {
		out := plot.Panel{Title: title, X: plot.Axis{Label: "nodes", Log: true}, Y: plot.Axis{Label: "messages an entry", Log: true}}
		for i := range points {
			p := &points[i]
			k := slices.IndexFunc(out.Series, func(s plot.Series) bool { return s.Name == p.Algorithm })
			if k < 0 {
				k = len(out.Series)
				out.Series = append(out.Series, plot.Series{Name: p.Algorithm})
			}
			if mean, half := of(p); mean > 0 {
				out.Series[k].Points = append(out.Series[k].Points, plot.Around(float64(p.Nodes), float64(mean), float64(half)))
			}
		}
		return out
	}
	f := plot.Figure{
		Title: "cost against the number of nodes (mean, 95% interval)",
		Panels: []plot.Panel{
			panel("no load", func(p *ScalePoint) (sim.Number, sim.Number) { return p.Idle, p.IdleHalf }),
			panel("full load", func(p *ScalePoint) (sim.Number, sim.Number) { return p.Busy, p.BusyHalf }),
		},
	}
	return f.WriteSVG(w)
}
