package study

import (
	"context"
	"math"

	"shmbench/distributed/sim"
)

// A Point is what the replications of one place of the grid measured. Half is
// the half-width of the 95% interval over the replications.
type Point struct {
	Algorithm string  `json:"algorithm"`
	Nodes     int     `json:"nodes"`
	Threads   int     `json:"threads"`
	Rate      float64 `json:"rate"`    // 1/s a node, as the reading has it
	Reading   string  `json:"reading"` // "" is the study's own
	Section   string  `json:"section"` // time inside
	Delay     string  `json:"delay"`   // a message's
	Tree      string  `json:"tree"`    // "" is complete and binary
	Warmup    int     `json:"warmup"`  // entries before measuring, in each replication
	Drifts    bool    `json:"drifts"`  // it was not stationary after the longest warm-up either

	sim.Summary

	longest                    int     // warm-up
	inside                     float64 // mean time inside, s
	runs                       []sim.Result
	messages, waits, noMessage []float64 // by replication
}

func newPoint(c cell, p *Plan) Point {
	return Point{
		Algorithm: c.algorithm, Nodes: c.nodes, Threads: c.threads, Rate: c.rate, Reading: p.Reading.Name, Warmup: p.Warmup,
		Section: p.Section.String(), Delay: p.Delay.String(), Tree: p.Tree,
		longest: longestWarmup * p.Warmup, inside: p.Section.Mean().Seconds(), runs: make([]sim.Result, p.Replications),
	}
}

// longestWarmup is how many times the plan's warm-up a point may get. One that
// is not stationary then is measured all the same, and says so.
const longestWarmup = 64

// measure makes the point's runs until the warm-up of all was long enough. A run
// goes on if its window comes after all that it has made, and otherwise it is
// begun anew, which is the same. When ctx is canceled the point is left incomplete.
func (p *Point) measure(ctx context.Context, o sim.Options, done *counter) error {
	runs := make([]*sim.Simulation, len(p.runs))
	for made := math.MaxInt; ; made = o.Warmup + o.Entries {
		o.Warmup = p.Warmup
		clear(p.runs)
		for k := range runs {
			if p.Warmup >= made {
				runs[k].Lengthen(p.Warmup)
			} else {
				var err error
				if runs[k], err = sim.Begin(o.Replication(k)); err != nil {
					return err
				}
			}
			if p.runs[k] = runs[k].Run(ctx); ctx.Err() != nil {
				return nil
			}
			done.add()
		}
		if p.warm() {
			return nil
		}
		done.more(len(runs))
	}
}

// warm reports whether p's warm-up was long enough, or cannot be longer: by
// MSER-5 on the waiting times and the messages of all its runs, and by whether
// they still drift. If not it doubles the warm-up, or more, for the next try.
func (p *Point) warm() bool {
	var waiting, messages [][]float64
	for k := range p.runs {
		s := p.runs[k].Series
		if p.runs[k].Series = nil; s == nil || p.runs[k].End != sim.Complete {
			return true // ended otherwise, which finish tells
		}
		waiting, messages = append(waiting, s.Waiting), append(messages, s.Messages)
	}
	needed, drifts := 0, false
	for _, s := range [][][]float64{waiting, messages} {
		entries, _ := sim.WarmUp(s)
		needed = max(needed, entries)
		d := sim.Drift(s, p.Warmup)
		drifts = drifts || d.Lowest() > 0 || d.Highest() < 0
	}
	if needed <= p.Warmup && !drifts {
		return true
	}
	if p.Warmup >= p.longest {
		p.Drifts = true
		return true
	}
	p.Warmup = min(p.longest, max(2*p.Warmup, needed))
	return false
}

// finish sums up the runs and reports whether all have been made.
func (p *Point) finish(reading Reading) bool {
	for k := range p.runs {
		r := &p.runs[k]
		if r.End == 0 || r.End == sim.Cancelled {
			return false
		}
		p.messages = append(p.messages, r.MessagesPerEntry.Mean)
		r.Waiting.Mean += p.more(reading)
		p.waits = append(p.waits, r.Waiting.Mean)
		p.noMessage = append(p.noMessage, r.Local.Mean)
	}
	p.Summary = sim.Summarize(p.runs)
	p.runs = nil
	return true
}

// more is how much longer, in s, waits are under reading than until the entry.
func (p *Point) more(reading Reading) float64 {
	if reading.untilExit {
		return p.inside
	}
	return 0
}

// value is a measure that the claims compare, by replication.
type value func(p *Point) []float64

func messages(p *Point) []float64  { return p.messages }
func waits(p *Point) []float64     { return p.waits }
func noMessage(p *Point) []float64 { return p.noMessage }

// difference returns the interval of a's values less b's, replication by
// replication: run k of both has the same seed, so that much of the load's
// chance cancels out.
func difference(a, b []float64) sim.Interval {
	i := sim.MeanOf(minus(a, b))
	i.Half = orInfinite(i.Half)
	return i
}

func minus(a, b []float64) []float64 {
	d := make([]float64, min(len(a), len(b)))
	for k := range d {
		d[k] = a[k] - b[k]
	}
	return d
}
