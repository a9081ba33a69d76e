package bench

import (
	"slices"

	"shmbench/internal/stat"
	"shmbench/shm"
)

// Sample is what was measured once.
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

// Get returns the value with the unit.
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

// summarize makes a sample of a trial that has ended.
func (t *trial) summarize(a shm.Algorithm, spent usage) Sample {
	s := Sample{Algorithm: a.Name, Workload: t.workload}
	shares := make([]uint64, len(t.procs))
	for i, p := range t.procs {
		s.Passages += p.spans[counting].passages
		shares[i] = p.spans[counting].passages
	}
	elapsed := t.counted()
	if s.Passages == 0 {
		// A quota so small that processes filled it that never noticed it.
		s.Passages, elapsed = t.quota, int64(spent.wall)
	}
	n := float64(max(1, s.Passages))
	ns := float64(elapsed) / n
	s.put(nsPerOp, ns)
	s.put(rate, 1e9/ns)
	s.put(overlap, t.overlap())
	s.put(jainRun, stat.Jain(shares))
	if spent.cpuKnown {
		s.put(cpuPerOp, float64(spent.cpu)/n)
	}
	for i, c := range spent.counters {
		s.put(counterUnits[i], float64(c)/n)
	}
	t.summarizeDetails(&s)
	return s
}

// counterUnits are the units of the hardware counters, in their order.
var counterUnits = [...]string{"cycles/op", "instructions/op", "cache-misses/op"}

func (t *trial) summarizeDetails(s *Sample) {
	latency, handoff, bypassed := newHistogram(), newHistogram(), uint64(0)
	for _, p := range t.procs {
		latency.Merge(p.latency)
		handoff.Merge(p.handoff)
		bypassed = max(bypassed, p.bypassed)
	}
	if latency.TotalCount() > 0 {
		s.put(p50, float64(latency.ValueAtQuantile(50)))
		s.put(p90, float64(latency.ValueAtQuantile(90)))
		s.put(p99, float64(latency.ValueAtQuantile(99)))
		s.put(p999, float64(latency.ValueAtQuantile(99.9)))
		s.put(maxLatency, float64(latency.Max()))
	}
	if len(t.procs) == 1 {
		return // the rest is about others
	}
	if handoff.TotalCount() > 0 {
		s.put(handoffP50, float64(handoff.ValueAtQuantile(50)))
		s.put(handoffP99, float64(handoff.ValueAtQuantile(99)))
	}
	f := study(t.section.owners[:t.section.logged], len(t.procs))
	s.put(jainShort, f.jainShort)
	s.put(bypass, float64(bypassed))
	s.put(longestRun, float64(f.longestRun))
	s.put(reacquire, f.reacquire)
}

// counted is the length of the counted window in ns: from the moment when the
// first process noticed that it was open to that when the first noticed that
// it was closed. All processes run in it, those too that were still waiting in
// a Lock called before; each counts the passages that it ended between its own
// two moments, so that the edges cost less than one passage a process.
func (t *trial) counted() int64 {
	var from, to int64
	for _, p := range t.procs {
		s := p.spans[counting]
		if s.from == 0 {
			continue // it waited from before the window to after it
		}
		if from == 0 || s.from < from {
			from = s.from
		}
		if to == 0 || s.to < to {
			to = s.to
		}
	}
	return max(1, to-from)
}

// overlap is the part of the time between the first process's beginning and
// the last one's end in which all ran.
func (t *trial) overlap() float64 {
	var begins, ends []int64
	for _, p := range t.procs {
		begin, end := int64(0), int64(0)
		for _, s := range p.spans {
			if s.from != 0 && begin == 0 {
				begin = s.from
			}
			end = max(end, s.to)
		}
		begins, ends = append(begins, begin), append(ends, end)
	}
	all := slices.Min(ends) - slices.Max(begins)
	any := slices.Max(ends) - slices.Min(begins)
	return max(0, float64(all)/float64(max(1, any)))
}
