package sim

import (
	"math"
	"slices"
)

// batch sums over consecutive entries.
type batch struct {
	entries   int64
	local     int64 // entries that no message brought
	messages  int64
	wait      float64 // ns
	handover  float64 // ns from an exit to the next entry, if a thread waited
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

// batches cuts a run into 400 to 800 batches of one size without knowing its
// length: when there are 800, neighbors are joined and the size doubles. The
// batch that is open is part of the means and not of the intervals.
type batches struct {
	size int64
	done []batch
	open batch
}

const (
	mostBatches = 800
	fewBatches  = 20  // that give an interval
	leastSize   = 8   // entries of a batch: runs of fewer than 3200 are too short for the test to tell
	mostRelated = 0.3 // the correlation of neighbors among mostBatches/2 that allows it
)

func newBatches() batches { return batches{size: 1, done: make([]batch, 0, mostBatches)} }

func (s *batches) restart(now int64) {
	s.size, s.done, s.open = 1, s.done[:0], batch{from: now}
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
		s.done = joined(s.done[:0], s.done, 2)
		s.size *= 2
	}
}

// joined appends to into the sums of every k neighbors of bs; a rest is left
// out.
func joined(into, bs []batch, k int) []batch {
	for i := 0; i+k <= len(bs); i += k {
		sum := bs[i]
		for _, b := range bs[i+1 : i+k] {
			sum.add(b)
		}
		into = append(into, sum)
	}
	return into
}

// measure returns the mean of a measure over all entries, with the interval
// that the means of a few large batches give, if the run is long enough for
// these to be independent: the test is that of A. M. Law and J. S. Carson, A
// Sequential Procedure for Determining the Length of a Steady-State Simulation,
// Operations Research 27(5), 1979. Of at least 400 batches the neighbors'
// correlation must be below a limit and must fall when they are joined in pairs; then
// that of a few batches is next to none. Here they are 20 and the limit is 0.3,
// not 40 and 0.4: of runs at the limit the test passes those that happen to look
// independent, and their intervals covered 86 % only.
func (s *batches) measure(of func(b *batch) (value float64, any bool)) Interval {
	all := s.open
	if len(s.done) > 0 {
		all = joined(nil, s.done, len(s.done))[0]
		if s.open.entries > 0 {
			all.add(s.open)
		}
	}
	mean, any := of(&all)
	if !any {
		return Interval{math.NaN(), math.NaN()}
	}
	few := values(joined(nil, s.done, max(1, len(s.done)/fewBatches)), of)
	i := Interval{mean, math.NaN()}
	if len(few) >= fewBatches && s.independent(of) {
		i.Half = MeanOf(few).Half
	}
	return i
}

func (s *batches) independent(of func(b *batch) (value float64, any bool)) bool {
	many := values(s.done, of)
	if len(many) < mostBatches/2 {
		return false
	}
	if slices.Min(many) == slices.Max(many) {
		return true
	}
	related := lag1(many)
	return s.size >= leastSize && (related <= 0 || related < mostRelated && lag1(values(joined(nil, s.done, 2), of)) < related)
}

func values(bs []batch, of func(b *batch) (value float64, any bool)) []float64 {
	var vs []float64
	for i := range bs {
		if v, any := of(&bs[i]); any {
			vs = append(vs, v)
		}
	}
	return vs
}

// lag1 is the correlation of neighbors among xs, which vary.
func lag1(xs []float64) float64 {
	mean := MeanOf(xs).Mean
	var products, squares float64
	for k, x := range xs {
		squares += float64((x - mean) * (x - mean))
		if k > 0 {
			products += float64((x - mean) * (xs[k-1] - mean))
		}
	}
	return products / squares
}
