package study

import (
	"math"

	"shmbench/dist/sim"
)

// A Point is what the replications of one place of the grid measured. Half is
// the half-width of the 95% interval over the replications.
type Point struct {
	Algorithm string  `json:"algorithm"`
	Nodes     int     `json:"nodes"`
	Threads   int     `json:"threads"`
	Rate      float64 `json:"rate"`    // 1/s a node, as the reading has it
	Reading   string  `json:"reading"` // "" is the study's own

	Entries      int `json:"entries"`
	Replications int `json:"replications"`

	MessagesPerEntry     sim.Number `json:"messages_per_entry"`
	MessagesPerEntryHalf sim.Number `json:"messages_per_entry_half_width"`
	WaitingTime          sim.Number `json:"waiting_time"` // s
	WaitingTimeHalf      sim.Number `json:"waiting_time_half_width"`
	WithoutMessage       sim.Number `json:"without_message"` // share of entries that no message brought
	WithoutMessageHalf   sim.Number `json:"without_message_half_width"`
	SyncDelay            sim.Number `json:"synchronization_delay"` // s
	SyncDelayHalf        sim.Number `json:"synchronization_delay_half_width"`
	Throughput           sim.Number `json:"throughput"` // entries/s
	ThroughputHalf       sim.Number `json:"throughput_half_width"`

	Jain   float64 `json:"jain"`   // least of the replications
	Bypass int64   `json:"bypass"` // most of the replications
	End    sim.End `json:"end"`    // of the first replication that is not complete
	Detail string  `json:"detail,omitempty"`

	runs                       []sim.Result
	messages, waits, noMessage []float64 // by replication
}

func newPoint(c cell, p *Plan) Point {
	return Point{
		Algorithm: c.algorithm, Nodes: c.nodes, Threads: c.threads, Rate: c.rate, Reading: p.Reading.Name,
		Replications: p.Replications, runs: make([]sim.Result, p.Replications),
	}
}

// finish sums up the runs and reports whether all have been made.
func (p *Point) finish(reading Reading) bool {
	p.End = sim.Complete
	for k := range p.runs {
		r := &p.runs[k]
		if r.End == 0 || r.End == sim.Cancelled {
			return false
		}
		if r.End != sim.Complete && p.End == sim.Complete {
			p.End, p.Detail = r.End, r.Detail
		}
		p.Entries += r.Entries
		p.Bypass = max(p.Bypass, r.Bypass)
		if k == 0 || r.Jain < p.Jain {
			p.Jain = r.Jain
		}
		p.messages = append(p.messages, r.MessagesPerEntry.Mean)
		p.waits = append(p.waits, r.Waiting.Mean+reading.waitMore)
		p.noMessage = append(p.noMessage, r.Local.Mean)
	}
	set := func(mean, half *sim.Number, i sim.Interval) {
		*mean, *half = sim.Number(i.Mean), sim.Number(i.Half)
	}
	set(&p.MessagesPerEntry, &p.MessagesPerEntryHalf, sim.MeanOf(p.messages))
	set(&p.WaitingTime, &p.WaitingTimeHalf, sim.MeanOf(p.waits))
	set(&p.WithoutMessage, &p.WithoutMessageHalf, sim.MeanOf(p.noMessage))
	set(&p.SyncDelay, &p.SyncDelayHalf, sim.Across(p.runs, func(r *sim.Result) float64 { return r.SyncDelay.Mean }))
	set(&p.Throughput, &p.ThroughputHalf, sim.Across(p.runs, func(r *sim.Result) float64 { return r.Throughput.Mean }))
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
