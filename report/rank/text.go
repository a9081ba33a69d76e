package rank

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"shmbench/bench"
	"shmbench/internal/stat"
)

// column is a column of medians after those that every table has. Units are
// tidied: ns are seconds.
type column struct {
	head, unit string
	scale      float64
}

var columns = []column{
	{"atomics", "atomics/op", 1},
	{"xfers", "xfers/op", 1},
	{"handoff", "handoff-sec", 1e9},
	{"mean", "mean-sec", 1e9},
	{"p50", "p50-sec", 1e9},
	{"p99", "p99-sec", 1e9},
	{"max", "max-sec", 1e9},
	{"cpu", "cpu-sec/op", 1e9},
	{"jain", "jain", 1},
	{"short", "jain-short", 1},
	{"run", "longest-run", 1},
	{"bypass", "bypass", 1},
}

const legend = `Medians of all samples, times in ns. ns/op: wall time of a passage, all processes together; latency: mean time from
when a passage was due, in an open loop; low, high: the 95% interval; times: multiple of the first row; p: chance that the
first row is ahead by luck alone (Mann-Whitney, Holm's correction over the table; "~" where it is 1% or more); atomics,
xfers: ns/op in units of the lock's own atomic operations and of a cache-line transfer; handoff: from Unlock to the next
one's return from Lock; mean, p50, p99, max: from calling Lock to its return; cpu: processor time of a passage; jain,
short: Jain's fairness index over the whole and over ten passages a process; run: most passages of one process in a row;
bypass: most passages of others during one wait.
`

// slowTransfer, in ns, is more than moving a cache line takes anywhere, also
// between sockets; what is above it is the time that a thread was not running.
const slowTransfer = 2000

// WriteText writes the rankings as text.
func (r *Report) WriteText(w io.Writer) error {
	if len(r.Tables) == 0 {
		_, err := fmt.Fprintln(w, "No sample was taken.")
		return err
	}
	if err := r.writeHead(w); err != nil {
		return err
	}
	for _, t := range r.Tables {
		if err := t.writeText(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(w, "\n", legend)
	return err
}

// writeHead writes what is known of the harness and the machine.
func (r *Report) writeHead(w io.Writer) (err error) {
	null := "not measured"
	if r.Null > 0 {
		null = number(r.Null) + " ns a passage"
	}
	fmt.Fprintf(w, "Null lock (the harness itself): %s. %s\n", null, r.transfers())
	if r.Quiet != "" {
		_, err = fmt.Fprintln(w, r.Quiet)
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

func (t Table) writeText(w io.Writer) error {
	by := "ns/op"
	if t.Workload.Rate > 0 {
		by = "latency"
		fmt.Fprintf(w, "\n%v, %s samples each, by mean latency\n", t.Workload, t.samples())
	} else {
		fmt.Fprintf(w, "\n%v, %s samples each\n", t.Workload, t.samples())
	}
	shown := columns[:0:0]
	for _, c := range columns {
		for _, row := range t.Rows {
			if _, ok := row.Values[c.unit]; ok && c.unit != bench.RankUnit(t.Workload) {
				shown = append(shown, c)
				break
			}
		}
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
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
	if err := tw.Flush(); err != nil {
		return err
	}
	if err := t.writeDear(w); err != nil {
		return err
	}
	if slices.ContainsFunc(t.Rows, func(row Row) bool { return math.IsInf(row.NS.Lo, 0) || math.IsInf(row.NS.Hi, 0) }) {
		fmt.Fprintf(w, "?: fewer than %d samples have no interval.\n", stat.LeastForInterval)
	}
	for _, row := range t.Rows {
		if row.Doubtful > 0 {
			if _, err := fmt.Fprintln(w, row.leftOut(t.Workload)); err != nil {
				return err
			}
		}
	}
	return nil
}

// samples says how many samples the rows have: "7", or "3 to 7".
func (t Table) samples() string {
	least, most := t.Rows[0].Samples, t.Rows[0].Samples
	for _, row := range t.Rows {
		least, most = min(least, row.Samples), max(most, row.Samples)
	}
	if least == most {
		return strconv.Itoa(most)
	}
	return fmt.Sprintf("%d to %d", least, most)
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
