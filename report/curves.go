package report

import (
	"maps"
	"slices"

	"shmbench/internal/plot"
	"shmbench/internal/results/stat"
)

// curves are values of locks against numbers such as those of processes: the lines of a chart,
// and the table of the same values, which has a row for each lock and a column for each number.
type curves struct {
	columns []string
	cells   map[string][]string // by lock, as many as there were columns
	points  map[string][]plot.Point
}

func newCurves() *curves {
	return &curves{cells: map[string][]string{}, points: map[string][]plot.Point{}}
}

// column begins a column of the table.
func (c *curves) column(head string) { c.columns = append(c.columns, head) }

// cell sets the text of a lock in the last column.
func (c *curves) cell(lock, text string) {
	c.cells[lock] = append(c.padded(lock)[:len(c.columns)-1], text)
}

// padded are the cells of a lock, with empty ones for the columns that it has no text in.
func (c *curves) padded(lock string) []string {
	cells := make([]string, len(c.columns))
	copy(cells, c.cells[lock])
	return cells
}

// point adds a point to the line of a lock.
func (c *curves) point(lock string, p plot.Point) { c.points[lock] = append(c.points[lock], p) }

// table is the table, with a text above the names of the locks.
func (c *curves) table(corner string) table {
	t := table{Head: append([]string{corner}, c.columns...)}
	for _, lock := range slices.Sorted(maps.Keys(c.cells)) {
		t.Rows = append(t.Rows, append([]string{lock}, c.padded(lock)...))
	}
	return t
}

// series are the lines. Those of a model are references.
func (c *curves) series(r *Run) (all []plot.Series) {
	for _, lock := range slices.Sorted(maps.Keys(c.points)) {
		all = append(all, plot.Series{Name: lock, Points: c.points[lock], Reference: r.Model != ""})
	}
	return all
}

// median is the point of samples at x, with their median and its interval times scale.
func median(x float64, samples []float64, scale float64) plot.Point {
	s := stat.Summary(samples)
	return plot.Point{X: x, Y: s.Center * scale, Low: s.Lo * scale, High: s.Hi * scale}
}
