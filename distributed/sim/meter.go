package sim

import "shmbench/distributed"

// meter counts what happens in the window that is measured. Its size does not
// depend on the number of entries.
type meter struct {
	events int64 // from the start on

	warmup, entries int   // Options
	left            int   // entries completed, warm-up included
	entered         int64 // entries begun, warm-up included
	open            int64 // when the window opened
	now             int64 // when the last entry of it was completed

	kinds         [distributed.Kinds]int64
	idle          int64 // messages sent while nobody waited or was inside
	lost, doubled int64
	crashes       int64
	crashedInside int64

	local       bool // a thread of the acting node is the cause: no message
	under       entry
	longestWait int64
	bypass      int64
	perNode     []int64
	batches     batches
}

// entry is the one under way.
type entry struct {
	wait    int64 // ns
	brought bool  // by a message
}

func newMeter(o *Options) meter {
	return meter{warmup: o.Warmup, entries: o.Entries, perNode: make([]int64, o.System.Nodes), batches: newBatches()}
}

// sent counts a message.
func (c *meter) sent(k distributed.Kind, busy bool) {
	c.kinds[k]++
	c.batches.open.messages++
	if !busy {
		c.idle++
	}
}

// enter counts the beginning of an entry after a wait: entriesAt is how many
// entries had begun when the thread asked, leftAt when the thread before left
// if others waited then, or -1.
func (c *meter) enter(wait, entriesAt, now, leftAt int64) {
	c.under = entry{wait, !c.local}
	c.longestWait = max(c.longestWait, wait)
	c.bypass = max(c.bypass, c.entered-entriesAt)
	c.entered++
	if leftAt >= 0 {
		c.batches.open.handover += float64(now - leftAt)
		c.batches.open.handovers++
	}
}

// leave counts the end of an entry, which may not be the one under way any
// more, and reports whether it was the last.
func (c *meter) leave(node int, now int64, e entry) bool {
	c.left++
	if c.left > c.warmup {
		c.perNode[node]++
		c.now = now
		b := &c.batches.open
		b.entries++
		b.wait += float64(e.wait)
		if !e.brought {
			b.local++
		}
		c.batches.close(now)
	}
	if c.left == c.warmup {
		*c = meter{
			events: c.events, warmup: c.warmup, entries: c.entries, left: c.left, entered: c.entered,
			crashes: c.crashes, crashedInside: c.crashedInside,
			open: now, now: now, perNode: c.perNode, batches: c.batches, local: c.local, under: c.under,
		}
		c.batches.restart(now)
	}
	return c.left == c.warmup+c.entries
}

// batch sums over consecutive entries.
type batch struct {
	entries   int64
	local     int64 // entries that no message brought
	messages  int64
	wait      float64 // ns
	handover  float64 // ns from a leave to the next entry, if somebody waited
	handovers int64
	from, to  int64 // ns
}

func (b *batch) add(c batch) {
	b.entries += c.entries
	b.local += c.local
	b.messages += c.messages
	b.wait += c.wait
	b.handover += c.handover
	b.handovers += c.handovers
	b.to = c.to
}

// batches cuts a run into 32 to 64 batches of one size without knowing its
// length: when there are 64, neighbours are joined and the size doubles. The
// batch that is open is part of the means and not of the intervals.
type batches struct {
	size int64
	done []batch
	open batch
}

const mostBatches = 64

func newBatches() batches { return batches{size: 8, done: make([]batch, 0, mostBatches)} }

func (s *batches) restart(now int64) {
	s.size, s.done, s.open = 8, s.done[:0], batch{from: now}
}

// close ends the open batch at time now if it is full.
func (s *batches) close(now int64) {
	s.open.to = now
	if s.open.entries < s.size {
		return
	}
	s.done = append(s.done, s.open)
	s.open = batch{from: now}
	if len(s.done) == mostBatches {
		for i := range mostBatches / 2 {
			s.done[i] = s.done[2*i]
			s.done[i].add(s.done[2*i+1])
		}
		s.done = s.done[:mostBatches/2]
		s.size *= 2
	}
}

// measure returns the mean of a measure over all entries, with the interval
// that the means of the batches give.
func (s *batches) measure(of func(b *batch) (value float64, any bool)) Interval {
	all := s.open
	var means []float64
	for i := range s.done {
		b := &s.done[i]
		if i == 0 {
			all = *b
		} else {
			all.add(*b)
		}
		if v, any := of(b); any {
			means = append(means, v)
		}
	}
	if len(s.done) > 0 && s.open.entries > 0 {
		all.add(s.open)
	}
	i := MeanOf(means)
	if v, any := of(&all); any {
		i.Mean = v
	}
	return i
}
