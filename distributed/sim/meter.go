package sim

import (
	"time"

	"shmbench/distributed"
)

// meter counts what happens in the window that is measured. Its size does not
// depend on the number of entries.
type meter struct {
	events int64 // from the start on

	warmup, entries int   // Options
	left            int   // entries completed, warm-up included
	entered         int64 // entries begun, warm-up included
	open            int64 // when the window opened
	now             int64 // when the last entry of it was completed

	kinds         distributed.Tally
	idle          int64 // messages sent while no thread waited or was in its critical section
	lost, doubled int64
	crashes       int64
	crashedInside int64
	revoked       int64 // entries cut short
	overlaps      int64 // entries while another was inside

	local       bool // a thread of the acting node is the cause: no message
	longestWait int64
	bypass      int64
	perNode     []int64 // entries
	traffic     []int64 // messages sent and taken
	batches     batches
	series      *Series // nil: not asked for
	waited      func(time.Duration)
}

// entry is one under way.
type entry struct {
	wait    int64 // ns
	brought bool  // by a message
}

func newMeter(o *Options) meter {
	c := meter{warmup: o.Warmup, entries: o.Entries, perNode: make([]int64, o.System.Nodes), traffic: make([]int64, o.System.Nodes), batches: newBatches(), waited: o.Waited}
	if o.Series {
		c.series = new(Series)
	}
	return c
}

// sent counts a message.
func (c *meter) sent(m *distributed.Message, busy bool) {
	c.kinds[m.Kind]++
	c.traffic[m.From]++
	c.traffic[m.To]++
	c.batches.open.messages++
	if c.series != nil {
		c.series.open.messages++
	}
	if !busy {
		c.idle++
	}
}

// enter counts the beginning of an entry after a wait: entriesAt is how many
// entries had begun when the thread asked, leftAt when the thread before left
// if others waited then, or -1.
func (c *meter) enter(wait, entriesAt, now, leftAt int64) entry {
	c.longestWait = max(c.longestWait, wait)
	c.bypass = max(c.bypass, c.entered-entriesAt)
	c.entered++
	if leftAt >= 0 {
		c.batches.open.handover += float64(now - leftAt)
		c.batches.open.handovers++
	}
	return entry{wait, !c.local}
}

// leave counts the end of entry e and reports whether it was the last.
func (c *meter) leave(node int, now int64, e entry) bool {
	c.left++
	if c.series != nil {
		c.series.leave(e)
	}
	if c.left > c.warmup {
		c.perNode[node]++
		c.now = now
		b := &c.batches.open
		b.entries++
		b.wait += float64(e.wait)
		if c.waited != nil {
			c.waited(time.Duration(e.wait))
		}
		if !e.brought {
			b.local++
		}
		c.batches.close(now)
	}
	if c.left == c.warmup {
		c.restart(now)
	}
	return c.left == c.warmup+c.entries
}

// restart forgets what was measured, and opens the window.
func (c *meter) restart(now int64) {
	clear(c.perNode)
	clear(c.traffic)
	*c = meter{
		events: c.events, warmup: c.warmup, entries: c.entries, left: c.left, entered: c.entered,
		crashes: c.crashes, crashedInside: c.crashedInside, revoked: c.revoked, overlaps: c.overlaps,
		open: now, now: now, perNode: c.perNode, traffic: c.traffic, batches: c.batches, local: c.local, series: c.series, waited: c.waited,
	}
	c.batches.restart(now)
}

// lengthen makes what was measured a part of the warm-up.
func (c *meter) lengthen(warmup int) {
	c.warmup = warmup
	if c.left == warmup {
		c.restart(c.now)
	}
}
