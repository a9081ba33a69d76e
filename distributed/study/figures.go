package study

import (
	"fmt"
	"io"
	"math"
	"slices"

	"shmbench/internal/plot"
)

// shown are the algorithms that figures show: the paper's three, whose
// simulations were all with piggybacking, and two for reference.
var shown = []curve{
	{"alien-v1-pb", "alien threads, first version", false},
	{"alien-v2-pb", "alien threads, second version", false},
	{"mueller", "Mueller", false},
	{"raymond", "Raymond", true},
	{"naimi-trehel", "Naimi and Tréhel", true},
}

// curve is an algorithm in a figure.
type curve struct {
	algorithm, name string
	reference       bool
}

// besides returns the algorithms among points that are none of the study's own.
func besides(points []Point) []curve {
	var more []curve
	for i := range points {
		c := curve{algorithm: points[i].Algorithm, name: points[i].Algorithm}
		if !slices.Contains(Names, c.algorithm) && !slices.Contains(more, c) {
			more = append(more, c)
		}
	}
	return more
}

// WriteFigure draws the points of the given number of nodes and of threads:
// messages an entry and waiting time against the rate. The paper's figures 3
// to 5 are those of 31 nodes and 1, 5 and 10 threads.
func WriteFigure(w io.Writer, points []Point, nodes, threads int) error {
	panel := func(title, unit string, of func(p *Point) (mean, half float64)) plot.Panel {
		out := plot.Panel{
			Title: title,
			X:     plot.Axis{Label: "λ, requests a second and node", Log: true},
			Y:     plot.Axis{Label: unit, Log: true},
		}
		for _, s := range append(slices.Clone(shown), besides(points)...) {
			series := plot.Series{Name: s.name, Reference: s.reference}
			for i := range points {
				p := &points[i]
				if mean, half := of(p); p.Algorithm == s.algorithm && p.Nodes == nodes && p.Threads == threads && mean > 0 && !math.IsInf(mean, 0) {
					series.Points = append(series.Points, plot.Around(p.Rate, mean, half))
				}
			}
			slices.SortFunc(series.Points, func(a, b plot.Point) int {
				if a.X < b.X {
					return -1
				}
				return 1
			})
			if len(series.Points) > 0 {
				out.Series = append(out.Series, series)
			}
		}
		return out
	}
	f := plot.Figure{
		Title: fmt.Sprintf("%d nodes, threads a node: %d (mean, 95%% interval)", nodes, threads),
		Panels: []plot.Panel{
			panel("messages an entry", "", func(p *Point) (float64, float64) {
				return float64(p.MessagesPerEntry), float64(p.MessagesPerEntryHalf)
			}),
			panel("waiting time", "s", func(p *Point) (float64, float64) {
				return float64(p.WaitingTime), float64(p.WaitingTimeHalf)
			}),
		},
	}
	return f.WriteSVG(w)
}
