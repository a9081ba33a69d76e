package plot

import (
	"cmp"
	"slices"
)

// lineHeight is the least distance between two labels at the ends of lines.
const lineHeight = 13.0

// label is the name of a series, at the end of its line.
type label struct {
	style
	Name         string
	FromX, FromY float64 // the end of the line
	X, Y         float64
}

// MarkX is where the mark of the label is, and TextX where the text begins.
func (l label) MarkX() float64 { return l.X + 6 }
func (l label) TextX() float64 { return l.X + 14 }
func (l label) TextY() float64 { return l.Y + 4 }

// ends places the names of the lines that are not quiet, or named all the same, to the right of their last
// points. In a scatter they
// stand beside the points. No two overlap, and all are as near to their points as that allows.
func ends(lines []line, b box, beside, named bool) (labels []label) {
	for _, l := range lines {
		if n := len(l.Dots); n > 0 && (named || !l.Quiet) {
			end := l.Dots[n-1]
			x := b.X2 + 10
			if beside {
				x = end.X + 6
			}
			labels = append(labels, label{style: l.style, Name: l.Name, FromX: end.X, FromY: end.Y, X: x, Y: end.Y})
		}
	}
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.FromY, b.FromY) })
	for i := 1; i < len(labels); i++ {
		labels[i].Y = max(labels[i].Y, labels[i-1].Y+lineHeight)
	}
	for i := len(labels) - 1; i >= 0; i-- { // back into the box
		most := b.Y2
		if i+1 < len(labels) {
			most = labels[i+1].Y - lineHeight
		}
		labels[i].Y = min(labels[i].Y, most)
	}
	return labels
}
