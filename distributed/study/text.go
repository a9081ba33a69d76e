package study

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/distributed/sim"
	"shmbench/internal/cli/table"
)

// Points is what was measured.
type Points []Point

// WriteText writes a table of points: for each number of nodes and of threads
// a line a rate, with messages an entry and waiting time of each algorithm.
func (points Points) WriteText(w io.Writer) error {
	if len(points) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "inside %s; a message's delay %s; tree: %s\n\n", points[0].Section, points[0].Delay, cmp.Or(points[0].Tree, "binary")); err != nil {
		return err
	}
	b := newBoard(points)
	var names []string
	for i := range points {
		names = with(names, points[i].Algorithm)
	}
	measures := []struct {
		title string
		of    func(p *Point) sim.Interval
	}{
		{"messages an entry", func(p *Point) sim.Interval {
			return sim.Interval{Mean: float64(p.MessagesPerEntry), Half: float64(p.MessagesPerEntryHalf)}
		}},
		{"waiting time (s)", func(p *Point) sim.Interval {
			return sim.Interval{Mean: float64(p.WaitingTime), Half: float64(p.WaitingTimeHalf)}
		}},
	}
	for _, n := range b.nodes {
		for _, m := range b.threads {
			for _, measure := range measures {
				fmt.Fprintf(w, "%s, N = %d, threads a node: %d\n", measure.title, n, m)
				t := table.New(w)
				fmt.Fprintf(t, "λ\t%s\n", strings.Join(names, "\t"))
				for _, rate := range b.rates {
					fmt.Fprint(t, rate)
					for _, name := range names {
						if p := b.points[cell{name, n, m, rate}]; p != nil {
							fmt.Fprintf(t, "\t%v", measure.of(p))
						} else {
							fmt.Fprint(t, "\t")
						}
					}
					fmt.Fprintln(t)
				}
				if err := t.Flush(); err != nil {
					return err
				}
				fmt.Fprintln(w)
			}
		}
	}
	return writeTroubles(w, points)
}

// writeTroubles lists the points whose runs did not end as they should.
func writeTroubles(w io.Writer, points []Point) error {
	for i := range points {
		if p := &points[i]; p.Drifts {
			if _, err := fmt.Fprintf(w, "%s, N = %d, %d threads, λ = %v: not stationary after %d entries\n", p.Algorithm, p.Nodes, p.Threads, p.Rate, p.Warmup); err != nil {
				return err
			}
		}
		if p := &points[i]; p.End != sim.Complete {
			if _, err := fmt.Fprintf(w, "%s, N = %d, %d threads, λ = %v: %v: %s\n", p.Algorithm, p.Nodes, p.Threads, p.Rate, p.End, p.Detail); err != nil {
				return err
			}
		}
	}
	return nil
}

// Findings is what became of the claims.
type Findings []Finding

// WriteText writes the claims with their statuses, each with the rates at
// which it holds and fails.
func (findings Findings) WriteText(w io.Writer) error {
	for i, f := range findings {
		fmt.Fprintf(w, "%2d. %s. %s (%s)\n", i+1, strings.ToUpper(f.Status), f.Claim, f.Load)
		for _, group := range byStatus(f.Under) {
			fmt.Fprintf(w, "    %s: %s\n", group.Status, group.Reading)
		}
		t := table.New(w)
		for _, r := range f.Regions {
			fmt.Fprintf(t, "    N=%d\tm=%d\tholds: %s\tfails: %s\topen: %s\n", r.Nodes, r.Threads, cmp.Or(r.Holds, "–"), cmp.Or(r.Fails, "–"), cmp.Or(r.Open, "–"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// byStatus joins the readings of one status, in order of first appearance.
func byStatus(under []Status) []Status {
	var groups []Status
	for _, u := range under {
		i := slices.IndexFunc(groups, func(g Status) bool { return g.Status == u.Status })
		if i < 0 {
			groups = append(groups, u)
		} else {
			groups[i].Reading += ", " + u.Reading
		}
	}
	return groups
}

// WriteReadings explains the names of the readings.
func WriteReadings(w io.Writer) error {
	t := table.New(w)
	fmt.Fprintln(t, Own+"\tλ is a node's rate; a resting thread asks; waiting ends with the permission; delays uniform and in order; piggybacking; high load is λ = 1")
	fmt.Fprintln(t, "no-piggyback\tthe versions without piggybacking are meant")
	fmt.Fprintln(t, "rates-to-the-top\thigh load is the highest rate measured, any load goes up to it")
	for _, r := range Readings {
		fmt.Fprintf(t, "%s\t%s\n", r.Name, r.Changes)
	}
	return t.Flush()
}
