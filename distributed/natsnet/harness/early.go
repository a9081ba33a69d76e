package harness

import (
	"context"
	"math"
	"time"

	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/sim"
)

// BrokenDown is the error of a run in which a node's algorithm broke down.
type BrokenDown struct{ text string }

func (b *BrokenDown) Error() string { return b.text }

// What is left of a second when a run is interrupted: for the nodes to tell how they
// stand, and for the judge.
const (
	lastWords = 300 * time.Millisecond
	lastLook  = 200 * time.Millisecond
)

// early sums up what has happened in a run that ends early; nil: nothing can be said
// in time.
func (r *Run) early() *Result {
	within := judging
	if r.ctx.Err() != nil { // the nodes end, and tell how they stand
		within = lastLook
		r.hearOut(lastWords)
	}
	for _, c := range r.children {
		c.killed = true
		c.end()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), within)
	defer cancel()
	result, entries, err := r.judge(ctx, within)
	if err != nil {
		return nil
	}
	measured := r.measured(entries)
	if len(measured) < 2 { // too few for figures
		return result
	}
	result.Measured = figures(measured, r.o.System)
	result.Measured.Messages = sim.Number(math.NaN())
	var messages int64
	for _, report := range r.reports {
		if report == nil { // it had not been asked, or was killed
			return result
		}
		for _, sent := range report.Kinds {
			messages += sent
		}
		report.Delays = nil
	}
	result.Measured.Messages = sim.Number(float64(messages) / float64(len(entries)))
	return result
}

// hearOut hears what the nodes tell, for a time.
func (r *Run) hearOut(most time.Duration) {
	late := time.After(most)
	for {
		open := 0
		for _, c := range r.children {
			if !c.finished && c.gone() == "" {
				open++
			}
		}
		if open == 0 {
			return
		}
		select {
		case s := <-r.events:
			if s.Event.Event == node.Result {
				s.from.finished = true
			}
			r.hear(s)
		case <-late:
			return
		}
	}
}
