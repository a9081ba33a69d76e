package survey

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/sim"
	"shmbench/internal/cli/table"
)

// An ElectionRow is one case of an election's specification, held.
type ElectionRow struct {
	Election string `json:"election"`
	Case     string `json:"case"`
	What     string `json:"what"` // the situation in words
	Nodes    int    `json:"nodes"`
	Rings    int    `json:"rings"` // over how many orders of the ring

	Formula  string     `json:"formula"`
	Book     sim.Number `json:"book"`
	AtMost   bool       `json:"at_most"` // the book gives a bound
	Messages sim.Number `json:"messages"`
	Half     sim.Number `json:"messages_half_width"` // 0 where every ring was tried
	Most     sim.Number `json:"most_messages"`       // of one ring

	Time   sim.Number `json:"time"`    // message delays until all follow the leader, mean
	AtOnce int        `json:"at_once"` // candidacies under way at the same moment, most
}

// Agrees reports whether what was counted is what the book says.
func (r ElectionRow) Agrees() bool {
	if r.AtMost {
		return r.Most <= r.Book
	}
	const rounding = 1e-9
	return max(r.Messages-r.Book, r.Book-r.Messages) <= r.Half+rounding*r.Book
}

// Up to this number of nodes every order of a ring is tried, and beyond so many
// drawn at random.
const (
	allOrders   = 7
	randomRings = 400
)

// Elections holds every case of the elections' specifications among n nodes. When ctx is
// canceled it returns the rows that are complete, with the error.
func Elections(ctx context.Context, elections []*election.Algorithm, n int, seed uint64, progress func(done, of int)) ([]ElectionRow, error) {
	rows := []ElectionRow{}
	for i, a := range elections {
		for _, c := range a.Cases {
			row, err := holdCase(ctx, a, c, n, seed)
			if err != nil {
				return rows, err
			}
			rows = append(rows, row)
		}
		if progress != nil {
			progress(i+1, len(elections))
		}
	}
	return rows, nil
}

func holdCase(ctx context.Context, a *election.Algorithm, c election.Case, n int, seed uint64) (ElectionRow, error) {
	row := ElectionRow{Election: a.Name, Case: c.Name, What: c.What, Nodes: n, Formula: c.Formula, Book: sim.Number(c.Messages(n)), AtMost: c.AtMost}
	var sent, times []float64
	err := rings(c.Over, n, seed, func(ring []distributed.ID) error {
		contest := election.Contest{Algorithm: a, Config: election.Config{Nodes: n, Ring: ring}}
		c.Contest(&contest)
		o, err := election.Hold(ctx, contest)
		if err != nil {
			return err
		}
		if !o.Agreed {
			return fmt.Errorf("%s, %s: no agreement: %s", a.Name, c.Name, o.Detail)
		}
		messages := float64(o.Total(c.Counts...))
		sent, times = append(sent, messages), append(times, o.Time)
		row.Most, row.AtOnce = max(row.Most, sim.Number(messages)), max(row.AtOnce, o.AtOnce)
		return nil
	})
	if err != nil {
		return row, err
	}
	messages := sim.MeanOf(sent)
	row.Rings, row.Messages, row.Time = len(sent), sim.Number(messages.Mean), sim.Number(sim.MeanOf(times).Mean)
	if len(sent) == randomRings {
		row.Half = sim.Number(messages.Half)
	}
	return row, nil
}

// rings calls do with the rings of n nodes that a case is about, a nil one being
// the ascending one.
func rings(over election.Rings, n int, seed uint64, do func(ring []distributed.ID) error) (err error) {
	switch {
	case over == election.Ascending:
		return do(nil)
	case over == election.Descending:
		return do(election.Descend(n))
	case n <= allOrders:
		election.Orders(n, func(ring []distributed.ID) {
			if err == nil {
				err = do(ring)
			}
		})
		return err
	}
	for k := range uint64(randomRings) {
		if err := do(RandomRing(n, seed, k)); err != nil {
			return err
		}
	}
	return nil
}

// RandomRing returns the k-th ring of n nodes that is drawn with a seed.
func RandomRing(n int, seed, k uint64) []distributed.ID {
	ring := election.Descend(n)
	rand.New(rand.NewPCG(seed, k)).Shuffle(n, func(i, j int) { ring[i], ring[j] = ring[j], ring[i] })
	return ring
}

// Wasted is what several initiators at the same time cost on a ring: the means of
// the messages, announcements included and acknowledgements not, over random
// rings and initiators.
type Wasted struct {
	Nodes      int                   `json:"nodes"`
	Initiators int                   `json:"initiators"`
	Messages   map[string]sim.Number `json:"messages"` // by election
}

// Initiators measures elections that run on a ring with 1, 2, 4 … and n
// initiators.
func Initiators(ctx context.Context, elections []*election.Algorithm, n int, seed uint64) ([]Wasted, error) {
	elections = slices.DeleteFunc(slices.Clone(elections), func(a *election.Algorithm) bool { return !a.Ring })
	rows := []Wasted{}
	for k := 1; len(elections) > 0; k = min(2*k, n) {
		w := Wasted{Nodes: n, Initiators: k, Messages: map[string]sim.Number{}}
		for _, a := range elections {
			const runs = 50
			sum := 0.0
			for r := range uint64(runs) {
				o, err := election.Hold(ctx, election.Contest{
					Algorithm: a, Config: election.Config{Nodes: n, First: true, Ring: RandomRing(n, seed, r)},
					Initiators: RandomRing(n, seed, runs+r)[:k],
				})
				if err != nil {
					return rows, err
				}
				sum += float64(o.Total(distributed.Election, distributed.Reply, distributed.Leader))
			}
			w.Messages[a.Name] = sim.Number(sum / runs)
		}
		rows = append(rows, w)
		if k == n {
			break
		}
	}
	return rows, nil
}

// ElectionRows is a table of elections.
type ElectionRows []ElectionRow

// WriteText writes the rows as text.
func (rows ElectionRows) WriteText(w io.Writer) error {
	if len(rows) == 0 {
		return nil
	}
	fmt.Fprintf(w, "%d nodes; every message takes 1\n\n", rows[0].Nodes)
	t := table.New(w, "election", "case", "messages", "book", "", "formula", "time", "at once", "")
	for _, r := range rows {
		measured, book, mark := sim.Interval{Mean: float64(r.Messages), Half: float64(r.Half)}.String(), fmt.Sprintf("%.7g", float64(r.Book)), "="
		if r.Half == 0 {
			measured = fmt.Sprintf("%.7g", float64(r.Messages))
		}
		if r.AtMost {
			measured, book = measured+fmt.Sprintf(", most %.7g", float64(r.Most)), "≤ "+book
		}
		if !r.Agrees() {
			mark = "≠"
		}
		over := ""
		if r.Rings > 1 {
			over = fmt.Sprintf(" (%d rings)", r.Rings)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%.4g\t%d\t%s\n", r.Election, r.Case, measured, book, mark, r.Formula, float64(r.Time), r.AtOnce, r.What+over)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, "\nmessages: bully's ELECTION, OK and LEADER, ring's ELECTION and LEADER, of the others the candidacies; = as the book's formula, or within its bound, ≠ not\n"+
		"time: message delays until all follow the leader; at once: most candidacies under way at one moment\n")
	return err
}

// WriteWasted writes what several initiators cost as text.
func WriteWasted(w io.Writer, rows []Wasted) error {
	if len(rows) == 0 {
		return nil
	}
	fmt.Fprint(w, "\nseveral begin at once: messages, candidacies and announcement, mean over random rings\n\n")
	t := table.New(w)
	fmt.Fprint(t, "initiators")
	var names []string
	for _, a := range election.All {
		if _, there := rows[0].Messages[a.Name]; there {
			names = append(names, a.Name)
			fmt.Fprintf(t, "\t%s", a.Name)
		}
	}
	fmt.Fprintln(t)
	for _, r := range rows {
		fmt.Fprint(t, r.Initiators)
		for _, name := range names {
			fmt.Fprintf(t, "\t%.4g", float64(r.Messages[name]))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
