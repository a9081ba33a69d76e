package rank

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"shmbench/bench"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/words"
	"shmbench/internal/results/stat"
)

// WriteText writes the rankings as text, with every column.
func (r *Report) WriteText(w io.Writer) error {
	every := style{columns: columns}
	if err := r.writeTables(w, every); err != nil {
		return err
	}
	return r.writeLast(w, every)
}

// style says how tables are written.
type style struct {
	columns []column
	narrow  bool // no line has more than lineWidth characters
	view    View
}

// slowTransfer, in ns, is more than moving a cache line takes anywhere, also
// between sockets; what is above it is the time that a thread was not running.
const slowTransfer = 2000

// writeTables writes every table, with a legend of the columns that it shows.
func (r *Report) writeTables(w io.Writer, s style) error {
	if len(r.Tables) == 0 {
		_, err := fmt.Fprintln(w, "No sample was taken.")
		return err
	}
	if r.answersFirst() {
		r.writeAnswers(w, s)
	}
	if err := r.writeHead(w, s); err != nil {
		return err
	}
	legend := newLegend(s.columns)
	for _, t := range r.Tables {
		if err := t.writeText(w, s); err != nil {
			return err
		}
		legend.of(t, t.shown(s.columns), s.view.Plots)
	}
	_, err := fmt.Fprint(w, "\n", legend)
	return err
}

// answersFirst reports whether the answers stand before the tables.
func (r *Report) answersFirst() bool { return len(r.Tables) <= mostAnswers || r.Noise != "" }

// writeAnswers writes which lock is the fastest.
func (r *Report) writeAnswers(w io.Writer, s style) (err error) {
	for _, answer := range r.Answers() {
		_, err = fmt.Fprintln(w, s.fitted(answer))
	}
	return err
}

// writeLast writes the answers after tables that are too many for answers before them.
func (r *Report) writeLast(w io.Writer, s style) error {
	if r.answersFirst() {
		return nil
	}
	fmt.Fprintln(w)
	return r.writeAnswers(w, s)
}

// writeHead writes what is known of the harness and the machine.
func (r *Report) writeHead(w io.Writer, s style) (err error) {
	null := "not measured"
	if r.Null > 0 {
		null = number(r.Null) + " ns a passage"
	}
	_, err = fmt.Fprintln(w, s.fitted(fmt.Sprintf("Null lock (the harness itself): %s. %s", null, r.transfers())))
	if r.Quiet != "" {
		_, err = fmt.Fprintln(w, s.fitted(r.Quiet))
	}
	return err
}

// transfers says what moving a cache line costs.
func (r *Report) transfers() string {
	cores, between := r.Machine[bench.Transfer]
	threads, within := r.Machine[bench.TransferThreads]
	var said []string
	if between {
		said = append(said, "between two cores: "+number(cores)+" ns")
	}
	if within {
		said = append(said, "between two hardware threads of one core: "+number(threads)+" ns")
	}
	switch {
	case said == nil && runtime.NumCPU() < 2:
		return "One processor only: no cache-line transfer."
	case said == nil:
		return "Cache-line transfer between two processors: not measured."
	}
	text := "Cache-line transfer " + strings.Join(said, "; ")
	if r.Pair != "" {
		text += " (processors " + r.Pair + ")"
	}
	if max(cores, threads) > slowTransfer {
		return text + ", which no hardware takes:\nsomething else had a processor, so distrust xfers, and everything with several processes."
	}
	return text + "."
}

func (t Table) writeText(w io.Writer, s style) error {
	by, sorted := "ns/op", ""
	if t.Workload.Rate > 0 {
		by, sorted = "latency", ", by mean latency"
	}
	fmt.Fprintf(w, "\n%v, %s each%s\n", t.Workload, t.samples(), sorted)
	if err := s.view.writeBeside(w, t.grid(by, t.shown(s.columns)), t.plots()); err != nil {
		return err
	}
	return t.writeNotes(w, s)
}

// shown returns those of the columns that a row has a value for. The unit that the table is
// sorted by has a column already.
func (t Table) shown(columns []column) []column {
	return slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return c.unit == bench.RankUnit(t.Workload) || !slices.ContainsFunc(t.Rows, func(row Row) bool {
			_, ok := row.Values[c.unit]
			return ok
		})
	})
}

// grid returns the lines of the table, the first with the names of the columns.
func (t Table) grid(by string, shown []column) []string {
	var text strings.Builder
	tw := table.Right(&text)
	fmt.Fprintf(tw, "#\talgorithm\t%s\tlow\thigh\ttimes\tp\t", by)
	for _, c := range shown {
		fmt.Fprint(tw, c.head, "\t")
	}
	fmt.Fprintln(tw)
	for i, row := range t.Rows {
		rank, times := strconv.Itoa(i+1), fmt.Sprintf("%.2f", row.Times)
		if !row.Ranked {
			rank, times = nothing, nothing
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t", rank, row.Algorithm,
			number(row.NS.Center), number(row.NS.Lo), number(row.NS.Hi), times, row.p(i))
		for _, c := range shown {
			cell := nothing
			if v, ok := row.Values[c.unit]; ok {
				cell = number(v * c.scale)
			}
			fmt.Fprint(tw, cell, "\t")
		}
		fmt.Fprintln(tw)
	}
	tw.Flush() // to a builder, which cannot fail
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

// writeNotes writes what is to be known of single rows.
func (t Table) writeNotes(w io.Writer, s style) error {
	if text := t.expensive(); text != "" {
		fmt.Fprintln(w, s.fitted(text))
	}
	if slices.ContainsFunc(t.Rows, func(row Row) bool { return math.IsInf(row.NS.Lo, 0) || math.IsInf(row.NS.Hi, 0) }) {
		fmt.Fprintf(w, "?: fewer than %d samples have no interval.\n", stat.LeastForInterval)
	}
	for _, row := range t.Rows {
		if row.Doubtful > 0 {
			if _, err := fmt.Fprintln(w, s.fitted(row.leftOut(fmt.Sprintf("procs=%d", t.Workload.Procs)))); err != nil {
				return err
			}
		}
	}
	return nil
}

// samples says how many samples the rows have: "7 samples", or "3 to 7 samples".
func (t Table) samples() string {
	least, most := t.Rows[0].Samples, t.Rows[0].Samples
	for _, row := range t.Rows {
		least, most = min(least, row.Samples), max(most, row.Samples)
	}
	if least == most {
		return words.Counted(most, "sample", "samples")
	}
	return fmt.Sprintf("%d to %d samples", least, most)
}

// p formats the p-value of row i.
func (r Row) p(i int) string {
	switch {
	case i == 0 || !r.Ranked:
		return nothing
	case r.P >= stat.Significant:
		return "~"
	}
	return fmt.Sprintf("%.3f", r.P)
}

// nothing stands in a cell without a value.
const nothing = "-"

// number formats v with three digits or more, never with an exponent. The ends
// of an interval are infinite where the samples are too few for one.
func number(v float64) string {
	if math.IsInf(v, 0) {
		return "?"
	}
	digits := 0
	if v != 0 {
		digits = min(max(0, 2-int(math.Floor(math.Log10(math.Abs(v))))), 3)
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
