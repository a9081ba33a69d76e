package rank

import (
	"fmt"
	"io"
	"math"
	"strings"

	"shmbench/internal/cli/words"
)

const (
	// lineWidth is how many characters a line of WriteShort has at most.
	lineWidth = 120
	// A plot has from leastPlot to mostPlot characters.
	leastPlot, mostPlot = 12, 40
)

// View says how WriteShort draws a ranking.
type View struct {
	Plots bool // with a plot beside each row, in plain characters
	Color bool // with plots of the best locks and of the doubtful ones in color
}

// plot is what stands beside a row: an interval with its median, or a bar from the left
// end up to the median.
type plot struct {
	low, median, high float64
	bar               bool
	color             string // an escape sequence, or empty
}

const (
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// writeBeside writes lines, the first a heading, with the plots of the others beside them
// where the view has plots and the lines leave room.
func (v View) writeBeside(w io.Writer, lines []string, plots []plot) error {
	widest := 0
	for _, line := range lines {
		widest = max(widest, len([]rune(line)))
	}
	width := min(lineWidth-widest-2, mostPlot)
	axis, ok := newAxis(plots, width)
	for i, line := range lines {
		if v.Plots && ok && width >= leastPlot {
			beside := axis.heading()
			if i > 0 {
				beside = v.colored(plots[i-1].color, axis.draw(plots[i-1]))
			}
			line += strings.Repeat(" ", widest-len([]rune(line))+2) + beside
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func (v View) colored(color, text string) string {
	if !v.Color || color == "" {
		return text
	}
	return color + text + plain
}

// axis is logarithmic and has a place for each character.
type axis struct {
	low, high float64
	width     int
}

// newAxis returns an axis for all plots; ok is false where nothing has a place on it.
func newAxis(plots []plot, width int) (a axis, ok bool) {
	a = axis{math.Inf(1), 0, width}
	for _, p := range plots {
		for _, v := range []float64{p.low, p.median, p.high} {
			if v > 0 && !math.IsInf(v, 0) {
				a.low, a.high = min(a.low, v), max(a.high, v)
			}
		}
	}
	return a, a.high > 0
}

// place is the character that a value falls on. An end that is not known is the end of the axis.
func (a axis) place(v float64) int {
	if a.high == a.low || v <= a.low {
		return 0
	}
	// The conversion of an infinite number is not defined, and its result can be negative.
	v = min(v, a.high)
	return int(math.Log(v/a.low)/math.Log(a.high/a.low)*float64(a.width-1) + 0.5)
}

// heading has the ends of the axis.
func (a axis) heading() string {
	low, high := number(a.low), number(a.high)
	return low + strings.Repeat(" ", max(1, a.width-len(low)-len(high))) + high
}

func (a axis) draw(p plot) string {
	if p.median <= 0 || math.IsNaN(p.median) {
		return ""
	}
	median := a.place(p.median)
	if p.bar {
		return strings.Repeat("=", median+1)
	}
	low, high := a.place(p.low), a.place(p.high)
	text := []byte(strings.Repeat(" ", low) + strings.Repeat("-", high-low+1))
	if high-low > 1 {
		text[low], text[high] = '|', '|'
	}
	text[median] = 'o'
	return string(text)
}

// plots are the intervals of the rows.
func (t Table) plots() []plot {
	all := make([]plot, len(t.Rows))
	for i := range t.Rows {
		row := &t.Rows[i]
		all[i] = plot{low: row.NS.Lo, median: row.NS.Center, high: row.NS.Hi, color: row.color()}
	}
	return all
}

// color is green for a lock that is not clearly behind the best, and yellow for one with
// doubtful samples.
func (row *Row) color() string {
	switch {
	case !row.Ranked:
		return yellow
	case row.leads():
		return green
	}
	return ""
}

// fitted breaks a text at blanks where lines are narrow.
func (s style) fitted(text string) string {
	if !s.narrow {
		return text
	}
	return wrap(text)
}

// wrap breaks a text at blanks, into lines of at most lineWidth characters.
func wrap(text string) string {
	var lines []string
	for part := range strings.SplitSeq(text, "\n") {
		lines = append(lines, words.Fold(part, lineWidth)...)
	}
	return strings.Join(lines, "\n")
}
