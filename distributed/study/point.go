package study

import (
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

	sim.Summary

	runs                       []sim.Result
	messages, waits, noMessage []float64 // by replication
}

func newPoint(c cell, p *Plan) Point {
	return Point{
		Algorithm: c.algorithm, Nodes: c.nodes, Threads: c.threads, Rate: c.rate, Reading: p.Reading.Name,
		runs: make([]sim.Result, p.Replications),
	}
}

// finish sums up the runs and reports whether all have been made.
func (p *Point) finish(reading Reading) bool {
	for k := range p.runs {
		r := &p.runs[k]
		if r.End == 0 || r.End == sim.Cancelled {
			return false
		}
		p.messages = append(p.messages, r.MessagesPerEntry.Mean)
		r.Waiting.Mean += reading.waitMore
		p.waits = append(p.waits, r.Waiting.Mean)
		p.noMessage = append(p.noMessage, r.Local.Mean)
	}
	p.Summary = sim.Summarize(p.runs)
	p.runs = nil
	return true
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
	d := make([]float64, min(len(a), len(b)))
	for k := range d {
		d[k] = a[k] - b[k]
	}
	i := sim.MeanOf(d)
	if math.IsNaN(i.Half) {
		i.Half = math.Inf(1)
	}
	return i
}
