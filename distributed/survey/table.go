// Package survey measures what textbooks tabulate about message-passing mutual exclusion. The
// measures are messages an entry at no load and at full load, synchronization delay, and fairness.
// Further measures are the effect of one crash, and the growth of the cost with the number of nodes.
package survey

import (
	"context"
	"fmt"
	"math"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/sim"
)

// Every message takes one unit of time here, so that times count message
// delays. The critical section is longer than any exchange of messages that a
// load sets off.
const (
	delay   = time.Second
	section = 10 * delay
)

// A Row is what a table says about one algorithm on a system of one thread a
// node. A book's bounds are those of the algorithm's specification, null where it gives
// none.
type Row struct {
	Algorithm string `json:"algorithm"`
	Family    string `json:"family"`
	Nodes     int    `json:"nodes"`
	Resources int    `json:"resources"`
	Diameter  int    `json:"diameter,omitempty"` // of the initial tree, where there is one

	Book string `json:"book_messages"` // the textbook's formula

	Idle Cost `json:"no_load"`   // one request at a time
	Busy Cost `json:"full_load"` // requests come ten times as fast as they can be served

	// Restless says that nodes send even when no thread has ever asked: the number of
	// such messages an entry depends on time. Idle then leaves out messages that are sent
	// while no thread waits or is in its critical section.
	Restless bool `json:"restless"`

	Wait       Cost `json:"wait_no_load"` // from the request to the permission, message delays
	Throughput Cost `json:"throughput"`   // entries a message delay, always asking, with an empty section
	Lone       Lone `json:"lone"`
	Share      Cost `json:"share_of_busiest"` // of the messages, sent or taken, at full load

	SyncDelay     Cost   `json:"synchronization_delay"` // message delays
	BookSyncDelay string `json:"book_synchronization_delay"`

	Jain   sim.Number `json:"jain"`   // at full load, over the nodes
	Bypass Cost       `json:"bypass"` // most entries of others in one wait, at full load

	Crashes []Crash `json:"crashes"`
}

// Cost is messages an entry, or another measure, by measurement and by the book.
type Cost struct {
	Messages sim.Number `json:"measured"`
	Half     sim.Number `json:"half_width"`
	Least    sim.Number `json:"book_least"`
	Most     sim.Number `json:"book_most"`
}

// Agrees reports whether the measured interval meets the book's bounds, and
// whether the book has any.
func (c Cost) Agrees() (agrees, any bool) {
	if math.IsNaN(float64(c.Least)) || math.IsNaN(float64(c.Messages)) {
		return false, false
	}
	half := float64(c.Half)
	if math.IsNaN(half) {
		half = 0
	}
	const ends = 0.01 // a run begins and ends with messages of entries not counted
	mean := float64(c.Messages)
	return mean+half >= float64(c.Least)*(1-ends) && mean-half <= float64(c.Most)*(1+ends), true
}

// A Crash is what the crash of one node does to the others, in several runs.
type Crash struct {
	Of      string `json:"of"` // "node 0", "inside" or "resting", which is not node 0
	Runs    int    `json:"runs"`
	Stopped int    `json:"stopped"` // runs where no thread could enter any more
	Starved int    `json:"starved"` // runs that went on without some that wait
	Unsafe  int    `json:"unsafe"`  // runs in which two were inside
}

// Word sums c up.
func (c Crash) Word() string {
	switch {
	case c.Runs == 0:
		return "never"
	case c.Unsafe > 0:
		return fmt.Sprintf("two enter %d/%d", c.Unsafe, c.Runs)
	case c.Stopped == c.Runs:
		return "all stop"
	case c.Stopped == 0 && c.Starved == 0:
		return "others go on"
	case c.Stopped == 0:
		return fmt.Sprintf("some starve %d/%d", c.Starved, c.Runs)
	case c.Starved == 0:
		return fmt.Sprintf("all stop %d/%d", c.Stopped, c.Runs)
	}
	return fmt.Sprintf("all stop %d/%d, some starve %d/%d", c.Stopped, c.Runs, c.Starved, c.Runs)
}

// Replications of each experiment.
const replications = 10

// A Subject is an algorithm on a system of one thread a node.
type Subject struct {
	Algorithm *distributed.Algorithm
	System    distributed.Config
	Resources int // that the algorithm guards; each request is for one
}

// Table measures each subject, in order. Runs use all processors. When ctx is
// canceled it returns the rows that are complete, with the error.
func Table(ctx context.Context, subjects []Subject, seed uint64, progress func(done, of int)) ([]Row, error) {
	var rows []Row
	for i, s := range subjects {
		r, err := measure(ctx, s, seed)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
		if progress != nil {
			progress(i+1, len(subjects))
		}
	}
	return rows, nil
}

func options(s Subject, seed uint64, l sim.Load, entries int) sim.Options {
	return sim.Options{
		Algorithm: s.Algorithm, System: s.System, Load: l,
		Section: sim.Fixed(section), Delay: sim.Fixed(delay),
		Warmup: 2 * s.System.Nodes, Entries: entries, Seed: seed,
	}
}

// fullLoad offers ten times what can be served, so that nearly every node waits
// nearly always. If each asked again at once, with every delay the same, the
// nodes would enter in one order forever, and what is measured would be that
// order's.
func fullLoad(n, resources int) sim.Load {
	return sim.Poisson(10 * float64(resources) / (section.Seconds() * float64(n)))
}

func measure(ctx context.Context, s Subject, seed uint64) (Row, error) {
	a, n := s.Algorithm, s.System.Nodes
	row := Row{Algorithm: a.Name, Family: string(a.Family), Nodes: n, Resources: s.Resources, Book: a.Cost.Messages, BookSyncDelay: a.Cost.SyncDelay}
	if a.Tree {
		row.Diameter = distributed.Diameter(s.System.Tree())
	}
	entries := max(500, 10*n)
	idle, err := sim.Replicate(ctx, options(s, seed, sim.Single(), entries), replications)
	if err != nil {
		return row, err
	}
	busy, err := sim.Replicate(ctx, options(s, seed, fullLoad(n, s.Resources), entries), replications)
	if err != nil {
		return row, err
	}
	for _, rs := range [][]sim.Result{idle, busy} {
		if sum := sim.Summarize(rs); sum.End != sim.Complete {
			return row, fmt.Errorf("%s: %v: %s", a.Name, sum.End, sum.Detail)
		}
	}
	perEntry := func(messages func(r *sim.Result) int64) func(r *sim.Result) float64 {
		return func(r *sim.Result) float64 { return float64(messages(r)) / float64(r.Entries) }
	}
	row.Restless, err = restless(ctx, s)
	if err != nil {
		return row, err
	}
	row.Idle = cost(sim.Across(idle, perEntry(func(r *sim.Result) int64 { return asked(r, row.Restless) })), a.Cost.Idle, s.System)
	row.Busy = cost(sim.Across(busy, perEntry(func(r *sim.Result) int64 { return r.Messages.Total() })), a.Cost.Busy, s.System)
	sum := sim.Summarize(busy)
	row.SyncDelay = cost(sim.Across(busy, func(r *sim.Result) float64 { return r.SyncDelay.Mean / delay.Seconds() }), a.Cost.Sync, s.System)
	row.Jain = sum.Jain
	row.Bypass = cost(sim.Interval{Mean: float64(sum.Bypass), Half: math.NaN()}, a.Cost.Bypass, s.System)
	row.Wait = cost(sim.Across(idle, func(r *sim.Result) float64 { return r.Waiting.Mean / delay.Seconds() }), a.Cost.Wait, s.System)
	row.Share = cost(sim.Across(busy, func(r *sim.Result) float64 { return r.Busiest }), a.Cost.Share, s.System)
	if row.Throughput, err = throughput(ctx, s, seed, entries); err != nil {
		return row, err
	}
	if n < 5 { // a book's throughput requires a waiting thread, and with so few nodes often none waits
		row.Throughput.Least, row.Throughput.Most = sim.Number(math.NaN()), sim.Number(math.NaN())
	}
	if s.Resources > 1 { // a book's full load is that of one resource which all want
		for _, c := range []*Cost{&row.Busy, &row.Throughput, &row.Share, &row.Bypass} {
			c.Least, c.Most = sim.Number(math.NaN()), sim.Number(math.NaN())
		}
	}
	if row.Lone, err = lone(s); err != nil {
		return row, err
	}
	row.Crashes, err = crashes(ctx, s, seed)
	return row, err
}

// throughput measures with an empty section and ten times what can be served, so
// that only messages take time.
func throughput(ctx context.Context, s Subject, seed uint64, entries int) (Cost, error) {
	o := options(s, seed, sim.Poisson(10*float64(s.Resources)/(delay.Seconds()*float64(s.System.Nodes))), entries)
	o.Section = sim.Fixed(0)
	runs, err := sim.Replicate(ctx, o, replications)
	if err != nil {
		return Cost{}, err
	}
	if sum := sim.Summarize(runs); sum.End != sim.Complete {
		return Cost{}, fmt.Errorf("%s: %v: %s", s.Algorithm.Name, sum.End, sum.Detail)
	}
	i := sim.Across(runs, func(r *sim.Result) float64 { return float64(r.Entries) / r.Time.Seconds() * delay.Seconds() })
	return cost(i, s.Algorithm.Cost.Throughput, s.System), nil
}

// asked returns r's messages, of a restless algorithm only those that were sent while a
// thread waited or was in its critical section.
func asked(r *sim.Result, restless bool) int64 {
	if restless {
		return r.Messages.Total() - r.Idle
	}
	return r.Messages.Total()
}

// restless reports whether the nodes of s send anything before anybody asks.
func restless(ctx context.Context, s Subject) (bool, error) {
	o := options(s, 0, sim.Single(), 1)
	o.Warmup, o.Until = 0, 9*delay // the first request comes later
	r, err := sim.Run(ctx, o)
	return r.Messages.Total() > 0, err
}

func cost(i sim.Interval, book func(c distributed.Config) (least, most float64), system distributed.Config) Cost {
	c := Cost{Messages: sim.Number(i.Mean), Half: sim.Number(i.Half), Least: sim.Number(math.NaN()), Most: sim.Number(math.NaN())}
	if book != nil {
		least, most := book(system)
		c.Least, c.Most = sim.Number(least), sim.Number(most)
	}
	return c
}

// crashes tries one crash at a time under a load that leaves most nodes resting: of node
// 0, which is the coordinator or the token's first holder, of the node in its critical
// section, and of another node that rests.
func crashes(ctx context.Context, s Subject, seed uint64) ([]Crash, error) {
	var out []Crash
	n := s.System.Nodes
	o := options(s, seed, sim.Poisson(0.2/(section.Seconds()*float64(n))), 20*n)
	o.Warmup = 0
	o.Patience = 20 * time.Duration(n) * (section + delay)
	at := 10 * time.Duration(n) * section
	for _, c := range []struct {
		of    string
		fault sim.Fault
	}{
		{"node 0", sim.Fault{At: at, Kind: sim.Crash, Node: 0}},
		{"inside", sim.Fault{At: at, Kind: sim.CrashInside}},
		{"resting", sim.Fault{At: at, Kind: sim.CrashResting}},
	} {
		if s.Algorithm.Apart && c.fault.Kind == sim.Crash { // a register does not crash
			out = append(out, Crash{Of: c.of})
			continue
		}
		o.Faults = []sim.Fault{c.fault}
		runs, err := sim.Replicate(ctx, o, 2*replications)
		if err != nil {
			return nil, err
		}
		crash := Crash{Of: c.of, Runs: len(runs)}
		for _, r := range runs {
			switch {
			case r.End == sim.Violated:
				crash.Unsafe++
			case r.End != sim.Complete:
				crash.Stopped++
			case r.Starving > 0:
				crash.Starved++
			}
		}
		out = append(out, crash)
	}
	return out, nil
}
