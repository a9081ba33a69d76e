package bench

import (
	"slices"

	"shmbench/internal/results/stat"
	"shmbench/shm"
)

// Sample is the result of one call of Measure.
type Sample struct {
	Algorithm string
	Workload  Workload
	Passages  uint64 // in the counted window
	Values    []Value
}

// Value is a number with a unit from Units.
type Value struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// Get returns the value with the unit, and whether the sample has one.
func (s *Sample) Get(unit string) (float64, bool) {
	for _, v := range s.Values {
		if v.Unit == unit {
			return v.Value, true
		}
	}
	return 0, false
}

// put adds a value, keeping the order of Units.
func (s *Sample) put(unit string, value float64) {
	order := func(unit string) int {
		return slices.IndexFunc(Units, func(u Unit) bool { return u.Name == unit })
	}
	at := slices.IndexFunc(s.Values, func(v Value) bool { return order(v.Unit) > order(unit) })
	if at < 0 {
		at = len(s.Values)
	}
	s.Values = slices.Insert(s.Values, at, Value{value, unit})
}

// notes are the records of a trial that has ended.
type notes struct {
	workload     Workload
	passages     []uint64 // of each process, in the counted window
	open, closed edge     // of the counted window
	began, ended []int64  // when each process began and ended
	spent        usage    // in the counted window, as the conductor saw it
	waits        *waits
	owners       []uint16
	// reached is for an open loop only: the share of its time whose arrivals it served.
	reached float64
}

// notes collects the notes of the processes.
func (t *trial) notes(spent usage) *notes {
	r := &notes{
		workload: t.workload, open: t.section.edges[counting], closed: t.section.edges[ordering],
		spent: spent, waits: newWaits(), owners: t.section.owners[:t.section.logged],
	}
	if !t.workload.numbered() {
		r.open, r.closed = edge{at: t.opened[counting]}, edge{at: t.opened[ordering]}
		for _, p := range t.procs {
			r.closed.passage += p.passages[counting]
		}
	}
	var late, all int64
	for _, p := range t.procs {
		r.passages = append(r.passages, p.passages[counting])
		r.began, r.ended = append(r.began, p.began), append(r.ended, p.ended)
		r.waits.merge(p.waits)
		all += t.opened[over] - p.began
		late += max(0, t.opened[over]-p.arrivals.due)
	}
	r.reached = 1 - float64(late)/float64(max(1, all))
	return r
}

// sample makes a sample of the notes.
func (r *notes) sample(a shm.Algorithm) Sample {
	s := Sample{Algorithm: a.Name, Workload: r.workload, Passages: r.closed.passage - r.open.passage}
	if s.Passages == 0 {
		return s
	}
	ns := float64(r.closed.at-r.open.at) / float64(s.Passages)
	s.put(nsPerOp, ns)
	s.put(rate, 1e9/ns)
	if least := slices.Min(r.passages); least < fewPassages {
		s.put(leastPassages, float64(least))
	}
	s.put(overlap, together(r.began, r.ended))
	s.put(jainRun, stat.Jain(r.passages))
	// spent belongs to the window as the conductor saw it. The edges of this window
	// are not those of the passages.
	perPassage := ns / float64(r.spent.wall)
	if r.spent.cpuKnown {
		s.put(cpuPerOp, float64(r.spent.cpu)*perPassage)
	}
	for i, c := range r.spent.counters {
		s.put(counterUnits[i], float64(c)*perPassage)
	}
	if r.workload.Rate > 0 {
		s.put(reached, r.reached)
	}
	r.waits.summarize(&s)
	if len(r.passages) > 1 && len(r.owners) > 0 {
		f := study(r.owners, len(r.passages))
		s.put(jainShort, f.jainShort)
		s.put(longestRun, float64(f.longestRun))
		s.put(reacquire, f.reacquire)
	}
	return s
}

// counterUnits are the units of the hardware counters, in the order of counterEvents.
var counterUnits = [...]string{"cycles/op", "instructions/op", "cache-misses/op"}

func (a *waits) summarize(s *Sample) {
	if a.latency.TotalCount() == 0 {
		return
	}
	s.put(meanLatency, a.latency.Mean())
	s.put(p50, float64(a.latency.ValueAtQuantile(50)))
	s.put(p90, float64(a.latency.ValueAtQuantile(90)))
	s.put(p99, float64(a.latency.ValueAtQuantile(99)))
	s.put(p999, float64(a.latency.ValueAtQuantile(99.9)))
	s.put(maxLatency, float64(a.latency.Max()))
	if s.Workload.Procs == 1 {
		return // the other values are about contention
	}
	if s.Workload.Readers > 0 {
		return // the other values are about an order, which readers do not have
	}
	s.put(bypass, float64(a.bypassed))
	if a.handoff.TotalCount() > 0 {
		s.put(handoffP50, float64(a.handoff.ValueAtQuantile(50)))
		s.put(handoffP99, float64(a.handoff.ValueAtQuantile(99)))
	}
}

// together returns the share of the time between the first process's beginning and
// the last process's end in which all processes ran.
func together(began, ended []int64) float64 {
	all := slices.Min(ended) - slices.Max(began)
	any := slices.Max(ended) - slices.Min(began)
	return max(0, float64(all)/float64(max(1, any)))
}
