package rank

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/internal/cli/table"
)

const (
	// screen is how many lines are written at most before a summary takes their place.
	screen = 40
	// mostLocks and mostNotes limit the lines of a summary.
	mostLocks = 26
	mostNotes = 5
	// leastNotes are shown of any number of locks.
	leastNotes = 2
	// mostSteps is how many steps of a sweep are columns.
	mostSteps = 9
)

// WriteShort writes the answer and the columns that help to choose a lock, in lines of at
// most 120 characters. Tables that do not fit on a screen become one table. It has a line for
// each lock, and a column for each number of processes or each step of a sweep. more is the
// option that shows everything.
func (r *Report) WriteShort(w io.Writer, more string, view View) error {
	narrow := style{columns: briefColumns, narrow: true, view: view}
	var all bytes.Buffer
	if err := r.writeTables(&all, narrow); err != nil {
		return err
	}
	over := r.columnar()
	if bytes.Count(all.Bytes(), []byte("\n")) >= screen-2 && over != "" {
		return r.writeSummary(w, over, more, narrow)
	}
	if len(r.Tables) > 0 {
		fmt.Fprintf(&all, "%s shows every column.\n", more)
	}
	if err := r.writeLast(&all, narrow); err != nil {
		return err
	}
	_, err := all.WriteTo(w)
	return err
}

// columnar is what the columns of a summary stand for: "procs", "cs" or "ncs" if the tables
// differ in nothing else and are few enough for columns, and empty if they do not.
func (r *Report) columnar() string {
	for _, over := range []struct {
		name string
		most int
		same func(to *bench.Workload, from bench.Workload)
	}{
		{"procs", mostAnswers, func(to *bench.Workload, from bench.Workload) { to.Procs = from.Procs }},
		{"cs", mostSteps, func(to *bench.Workload, from bench.Workload) { to.CS = from.CS }},
		{"ncs", mostSteps, func(to *bench.Workload, from bench.Workload) { to.NCS = from.NCS }},
	} {
		differ := slices.ContainsFunc(r.Tables, func(t Table) bool {
			w := r.Tables[0].Workload
			over.same(&w, t.Workload)
			return t.Workload != w || w.Rate > 0
		})
		if !differ && len(r.Tables) <= over.most {
			return over.name
		}
	}
	return ""
}

// part is what a workload says of one thing, "cs=100", and rest what it says besides.
func part(w bench.Workload, of string) (part, rest string) {
	fields := strings.Fields(w.String())
	i := slices.IndexFunc(fields, func(f string) bool { return strings.HasPrefix(f, of+"=") })
	part = fields[i]
	return part, strings.Join(slices.Delete(fields, i, i+1), " ")
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

func (r *Report) writeSummary(w io.Writer, over, more string, st style) error {
	var head, foot bytes.Buffer
	r.writeAnswers(&head, st)
	if err := r.writeHead(&head, st); err != nil {
		return err
	}
	_, rest := part(r.Tables[0].Workload, over)
	fmt.Fprintln(&foot, wrap("Sorted by the geometric mean of the multiples of each column's best; locks without a rank somewhere follow. "+
		"* the best or not clearly behind it (p >= 0.01); ! doubtful samples; ? fewer than six samples have no interval."))
	if st.view.Plots {
		fmt.Fprintln(&foot, "The bars show that mean on a logarithmic axis.")
	}
	fmt.Fprintf(&foot, "%s shows every column.\n", more)

	locks, notes := r.summary(), r.leftOut(over)
	left := screen - 2 - lines(head) - lines(foot) - 4 // without the title and heading of the table, and "and more"
	shown := min(len(locks), mostLocks, left-min(len(notes), leastNotes))
	noted := min(len(notes), mostNotes, left-shown)
	grid, with := r.summaryGrid(locks[:shown], over)
	fmt.Fprintf(&head, "\n%s: median ns of a passage, all processes together%s\n", rest, with)
	if noted < len(notes) && noted == left-shown {
		noted-- // for "and more notes"
	}
	if _, err := head.WriteTo(w); err != nil {
		return err
	}
	if err := st.view.writeBeside(w, grid, bars(locks[:shown])); err != nil {
		return err
	}
	if n := len(locks) - shown; n > 0 {
		fmt.Fprintf(w, "and %d more\n", n)
	}
	for _, note := range notes[:noted] {
		fmt.Fprintln(w, st.fitted(note))
	}
	if n := len(notes) - noted; n > 0 {
		fmt.Fprintf(w, "and %d more notes on samples\n", n)
	}
	_, err := foot.WriteTo(w)
	return err
}

func lines(b bytes.Buffer) int { return bytes.Count(b.Bytes(), []byte("\n")) }

// summaryGrid returns the lines of the summary's table, and what stands with each median:
// the ends of its interval if these fit, else the greater distance to an end, else nothing.
func (r *Report) summaryGrid(locks []summed, over string) (grid []string, with string) {
	for _, cells := range []struct {
		of   func(*Row) string
		with string
	}{{(*Row).interval, ", with its 95% interval"}, {(*Row).spread, ", and the greater distance to an end of its 95% interval"}} {
		grid := r.summaryCells(locks, over, cells.of)
		if !slices.ContainsFunc(grid, func(line string) bool { return len([]rune(line)) > lineWidth }) {
			return grid, cells.with
		}
	}
	return r.summaryCells(locks, over, func(row *Row) string { return number(row.NS.Center) }), ""
}

func (r *Report) summaryCells(locks []summed, over string, cell func(*Row) string) []string {
	var text strings.Builder
	tw := table.New(&text)
	fmt.Fprint(tw, "#\talgorithm")
	for _, t := range r.Tables {
		head, _ := part(t.Workload, over)
		fmt.Fprint(tw, "\t", head)
	}
	fmt.Fprintln(tw)
	for i, s := range locks {
		place := fmt.Sprint(i + 1)
		if !s.everywhere {
			place = nothing
		}
		fmt.Fprintf(tw, "%s\t%s", place, s.name)
		for _, row := range s.rows {
			if row == nil {
				fmt.Fprint(tw, "\t", nothing)
			} else {
				fmt.Fprint(tw, "\t", cell(row), row.mark())
			}
		}
		fmt.Fprintln(tw)
	}
	tw.Flush() // to a builder, which cannot fail
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

// bars has the geometric mean of each lock with a rank everywhere.
func bars(locks []summed) []plot {
	all := make([]plot, len(locks))
	for i, s := range locks {
		if !s.everywhere {
			continue
		}
		mean := math.Exp(s.score)
		all[i] = plot{low: mean, median: mean, high: mean, bar: true}
		if i == 0 {
			all[i].color = green
		}
	}
	return all
}

// interval is the median with the ends of its interval.
func (row *Row) interval() string {
	return fmt.Sprintf("%s [%s, %s]", number(row.NS.Center), number(row.NS.Lo), number(row.NS.Hi))
}

// spread is the median with the greater distance to an end of its interval.
func (row *Row) spread() string {
	off := max(row.NS.Hi-row.NS.Center, row.NS.Center-row.NS.Lo) / row.NS.Center
	if math.IsInf(off, 0) || math.IsNaN(off) {
		return number(row.NS.Center) + " ±?"
	}
	return fmt.Sprintf("%s ±%.0f%%", number(row.NS.Center), 100*off)
}

// mark says whether a row is the best of its table, or doubtful.
func (row *Row) mark() string {
	switch {
	case !row.Ranked:
		return " !"
	case row.leads():
		return " *"
	}
	return ""
}

// leftOut says which locks have samples left out, in which column, and why.
func (r *Report) leftOut(over string) (notes []string) {
	for _, t := range r.Tables {
		column, _ := part(t.Workload, over)
		for _, row := range t.Rows {
			if row.Doubtful > 0 {
				notes = append(notes, row.leftOut(column))
			}
		}
	}
	return notes
}

// leftOut says how many samples of a row are left out, where, and why.
func (row Row) leftOut(where string) string {
	what := "left out"
	if !row.Ranked {
		what = "doubtful, and so the lock is not ranked"
	}
	return fmt.Sprintf("%s, %s: %d of %d samples %s: %s", row.Algorithm, where, row.Doubtful, row.Samples, what, row.Doubt)
}
