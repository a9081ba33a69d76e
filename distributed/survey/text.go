package survey

import (
	"fmt"
	"io"
	"math"

	"shmbench/distributed/sim"
	"shmbench/internal/cli/table"
)

// Rows is a table of algorithms.
type Rows []Row

// WriteText writes the rows as text.
func (rows Rows) WriteText(w io.Writer) error {
	if len(rows) == 0 {
		return nil
	}
	n := rows[0].Nodes
	fmt.Fprintf(w, "%d nodes of one thread%s; every message takes 1, the critical section 10;\nno load: one request at a time; full load: requests come ten times as fast as they can be served\n\n", n, rows.shape())
	t := table.New(w, "algorithm", "messages, no load", "book", "", "full load", "book", "", "sync. delay", "book", "", "Jain", "bypass", "book", "")
	for _, r := range rows {
		sync := "–"
		if d := float64(r.SyncDelay.Messages); !math.IsNaN(d) {
			sync = fmt.Sprintf("%.3g", d)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.3f\t%.0f\t%s\t%s\n", r.Algorithm,
			r.Idle.measured(), r.Idle.book(), r.Idle.mark(), r.Busy.measured(), r.Busy.book(), r.Busy.mark(),
			sync, r.BookSyncDelay, r.SyncDelay.mark(), float64(r.Jain), float64(r.Bypass.Messages), r.Bypass.book(), r.Bypass.mark())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nmessages an entry, mean and 95% interval over independent runs; = within the book's bounds, ≠ outside them\n")
	for _, r := range rows {
		if r.Restless {
			fmt.Fprintf(w, "%s sends even if no thread asks: at no load only the messages count that are sent while a thread waits or is in its critical section\n", r.Algorithm)
		}
	}
	fmt.Fprint(w, "bypass: most entries of all others together while one waited, at full load\n\n")
	if err := rows.writeDelays(w); err != nil {
		return err
	}
	fmt.Fprint(w, "\nthe crash of one node\n\n")
	t = table.New(w)
	fmt.Fprint(t, "algorithm")
	for _, c := range rows[0].Crashes {
		fmt.Fprintf(t, "\t%s", c.Of)
	}
	fmt.Fprintln(t, "\tformula of the book")
	for _, r := range rows {
		fmt.Fprint(t, r.Algorithm)
		for _, c := range r.Crashes {
			fmt.Fprintf(t, "\t%s", c.Word())
		}
		fmt.Fprintf(t, "\t%s\n", r.Book)
	}
	return t.Flush()
}

// writeDelays writes the second table.
func (rows Rows) writeDelays(w io.Writer) error {
	t := table.New(w, "algorithm", "wait, no load", "book", "", "throughput", "book", "", "lone request", "book", "", "busiest node", "book", "")
	for _, r := range rows {
		fmt.Fprint(t, r.Algorithm)
		for _, c := range []Cost{r.Wait, r.Throughput} {
			fmt.Fprintf(t, "\t%s\t%s\t%s", c.measured(), c.book(), c.mark())
		}
		fmt.Fprintf(t, "\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Lone.tried(), r.Lone.book(), r.Lone.mark(), r.Share.measured(), r.Share.book(), r.Share.mark())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, "\nwait: delays from a request to the permission; throughput: entries a delay d, always asking, an empty section: 0.5 is 1/2d, 1 is 1/d,\n"+
		"where a thread always waits, as of five nodes or more;\n"+
		"lone request: its messages at least and at most, from every state of rest that such requests lead to\n"+
		"(~ from as many as were tried, and from the number that the specification names as the most expensive);\n"+
		"busiest node: its share of the messages, sent or taken, at full load\n")
	return err
}

func (l Lone) tried() string {
	switch {
	case l.States == 0:
		return "–"
	case l.All:
		return fmt.Sprintf("%d..%d", l.Least, l.Most)
	}
	return fmt.Sprintf("%d..%d ~", l.Least, l.Most)
}

func (l Lone) book() string { return Cost{Least: l.BookLeast, Most: l.BookMost}.book() }

func (l Lone) mark() string { return mark(l.Agrees()) }

// shape says what else the rows have in common.
func (rows Rows) shape() string {
	s := ""
	for _, r := range rows {
		if r.Diameter > 0 {
			s = fmt.Sprintf("; where there is a tree its diameter D is %d", r.Diameter)
		}
	}
	if k := rows[0].Resources; k > 1 {
		s += fmt.Sprintf("; %d resources, each request for one of them", k)
	}
	return s
}

func (c Cost) measured() string {
	return sim.Interval{Mean: float64(c.Messages), Half: float64(c.Half)}.String()
}

func (c Cost) book() string {
	least, most := float64(c.Least), float64(c.Most)
	switch {
	case math.IsNaN(least):
		return "–"
	case least == most:
		return fmt.Sprintf("%.4g", least)
	}
	return fmt.Sprintf("%.3g..%.3g", least, most)
}

func (c Cost) mark() string { return mark(c.Agrees()) }

func mark(agrees, any bool) string {
	switch {
	case !any:
		return ""
	case agrees:
		return "="
	}
	return "≠"
}
