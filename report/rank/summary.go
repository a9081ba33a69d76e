package rank

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"shmbench/bench"
)

const (
	// screen is how many lines are written at most before a summary takes their place.
	screen = 40
	// mostLocks and mostNotes limit the lines of a summary.
	mostLocks = 26
	mostNotes = 5
)

// WriteShort writes the rankings as WriteText does if they fit on a screen, and else a
// line for each lock with a column for each number of processes. more is the option
// that shows everything.
func (r *Report) WriteShort(w io.Writer, more string) error {
	var all bytes.Buffer
	if err := r.WriteText(&all); err != nil {
		return err
	}
	if bytes.Count(all.Bytes(), []byte("\n")) < screen || !r.columnar() {
		_, err := all.WriteTo(w)
		return err
	}
	return r.writeSummary(w, more)
}

// columnar reports whether the tables differ only in the number of processes, and are
// few enough for columns.
func (r *Report) columnar() bool {
	for _, t := range r.Tables {
		u := r.Tables[0].Workload
		if u.Procs = t.Workload.Procs; t.Workload != u || t.Workload.Rate > 0 {
			return false
		}
	}
	return len(r.Tables) <= 6
}

// summed is a lock with its rows by table.
type summed struct {
	name string
	rows []*Row
	// score is the mean of the logarithms of the multiples of the best, where the lock has
	// a rank, and everywhere says that it has one with each number of processes.
	score      float64
	everywhere bool
}

// summary orders the locks: those with a rank everywhere first, by their scores.
func (r *Report) summary() []summed {
	byName := map[string]*summed{}
	var order []*summed
	for i, t := range r.Tables {
		for k := range t.Rows {
			row := &t.Rows[k]
			s := byName[row.Algorithm]
			if s == nil {
				s = &summed{name: row.Algorithm, rows: make([]*Row, len(r.Tables))}
				byName[row.Algorithm], order = s, append(order, s)
			}
			s.rows[i] = row
		}
	}
	all := make([]summed, len(order))
	for i, s := range order {
		ranked := 0
		for _, row := range s.rows {
			if row != nil && row.Ranked && row.Times > 0 {
				s.score, ranked = s.score+math.Log(row.Times), ranked+1
			}
		}
		s.score, s.everywhere = s.score/float64(max(1, ranked)), ranked == len(r.Tables)
		all[i] = *s
	}
	slices.SortStableFunc(all, func(a, b summed) int {
		if a.everywhere != b.everywhere {
			if a.everywhere {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
	})
	return all
}

func (r *Report) writeSummary(w io.Writer, more string) error {
	if err := r.writeHead(w); err != nil {
		return err
	}
	_, load, _ := strings.Cut(r.Tables[0].Workload.String(), " ")
	fmt.Fprintf(w, "\n%s: median ns of a passage, all processes together, with its 95%% interval\n", load)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "#\talgorithm")
	for _, t := range r.Tables {
		fmt.Fprintf(tw, "\tprocs=%d", t.Workload.Procs)
	}
	fmt.Fprintln(tw)
	locks := r.summary()
	for i, s := range locks[:min(len(locks), mostLocks)] {
		place := fmt.Sprint(i + 1)
		if !s.everywhere {
			place = nothing
		}
		fmt.Fprintf(tw, "%s\t%s", place, s.name)
		for _, row := range s.rows {
			fmt.Fprint(tw, "\t", row.cell())
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if n := len(locks) - mostLocks; n > 0 {
		fmt.Fprintf(w, "and %d more\n", n)
	}
	notes := r.leftOut()
	for _, note := range notes[:min(len(notes), mostNotes)] {
		fmt.Fprintln(w, note)
	}
	if n := len(notes) - mostNotes; n > 0 {
		fmt.Fprintf(w, "and %d more notes on samples\n", n)
	}
	_, err := fmt.Fprintf(w, "Sorted by the geometric mean of the multiples of each column's best; locks without a rank somewhere follow.\n* the best or not clearly behind it (p >= 0.01); ! doubtful samples. %s prints every column.\n", more)
	return err
}

// cell is a row of another table as a cell of the summary.
func (row *Row) cell() string {
	if row == nil {
		return nothing
	}
	text := fmt.Sprintf("%s [%s, %s]", number(row.NS.Center), number(row.NS.Lo), number(row.NS.Hi))
	switch {
	case !row.Ranked:
		text += " !"
	case row.Times == 1 || row.p(1) == "~":
		text += " *"
	}
	return text
}

// leftOut says which locks have samples left out, with how many processes, and why.
func (r *Report) leftOut() (notes []string) {
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Doubtful > 0 {
				notes = append(notes, row.leftOut(t.Workload))
			}
		}
	}
	return notes
}

// leftOut says how many samples of a row are left out, and why.
func (row Row) leftOut(w bench.Workload) string {
	what := "left out"
	if !row.Ranked {
		what = "doubtful, and so the lock is not ranked"
	}
	return fmt.Sprintf("%s, procs=%d: %d of %d samples %s: %s", row.Algorithm, w.Procs, row.Doubtful, row.Samples, what, row.Doubt)
}
