package plot

import (
	"cmp"
	"math"
	"slices"
)

// lineHeight is the least distance between two labels at the ends of lines.
const lineHeight = 13.0

// charWidth is the width of a character of a name, in the widest common font.
const charWidth = 7.5

// room is what the names at the ends of lines take to the right of a panel.
func (p *Panel) room(named bool) float64 {
	longest := 0
	for _, s := range p.Series {
		if named || !s.Quiet {
			longest = max(longest, len([]rune(s.Name)))
		}
	}
	return 10 + label{}.TextX() + charWidth*float64(longest)
}

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

// ends places the names of the lines that are not quiet, or named all the same, to the
// right of their last points. In a scatter they stand beside the points, on the left where
// they would go beyond most, the right end of the chart, and lower where another point is in
// the way. No two overlap, and all are as near to their points as that allows.
func ends(lines []line, b box, most float64, beside, named bool) (labels []label) {
	for _, l := range lines {
		if n := len(l.Dots); n > 0 && (named || !l.Quiet) {
			end := l.Dots[n-1]
			x, y := b.X2+10, end.Y
			if beside {
				x = end.X + 6
				wide := (label{}).TextX() + charWidth*float64(len([]rune(l.Name)))
				if x+wide > most {
					x = end.X - 6 - wide
				}
				for y < b.Y2 && covers(lines, end, x, x+wide, y) {
					y += lineHeight / 2
				}
			}
			labels = append(labels, label{style: l.style, Name: l.Name, FromX: end.X, FromY: end.Y, X: x, Y: y})
		}
	}
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.Y, b.Y) })
	for i := 1; i < len(labels); i++ {
		labels[i].Y = max(labels[i].Y, labels[i-1].Y+lineHeight)
	}
	for i := len(labels) - 1; i >= 0; i-- { // back into the box
		lowest := b.Y2
		if i+1 < len(labels) {
			lowest = labels[i+1].Y - lineHeight
		}
		labels[i].Y = min(labels[i].Y, lowest)
	}
	return labels
}

// covers reports whether a name from x1 to x2 at y would lie over a point, except its own.
func covers(lines []line, own dot, x1, x2, y float64) bool {
	for _, l := range lines {
		for _, d := range l.Dots {
			if (d.X != own.X || d.Y != own.Y) && d.X > x1 && d.X < x2 && math.Abs(d.Y-y) < lineHeight/2 {
				return true
			}
		}
	}
	return false
}
