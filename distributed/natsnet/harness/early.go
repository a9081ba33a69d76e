package harness

import (
	"context"
	"math"
	"time"

	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/sim"
)

// BrokenDown is the error of a run in which the algorithm of a node broke down.
type BrokenDown struct{ text string }

func (b *BrokenDown) Error() string { return b.text }

// An interrupted run has a second left. The nodes use one part of it to report, and
// the judge uses the other part.
const (
	lastWords = 300 * time.Millisecond
	lastLook  = 200 * time.Millisecond
)

// early sums up a run that ends early. It returns nil if the time is too short for a
// summary.
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

// hearOut receives the nodes' events for a time.
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
