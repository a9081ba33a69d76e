package compiled

import (
	"errors"
	"slices"

	"shmbench/internal/machine/topo"
	"shmbench/internal/results/stat"
	"shmbench/predict"
)

// Result is what the model gives.
type Result struct {
	// Passages is how many passages counted. Values are the figures of one in the units
	// of bench, and TransfersPerOp.
	Passages uint64
	Values   []Value
	// Transfers is how often a passage moved a line, by the distance that it came:
	// the outermost level of the machine in which the two cores differ, or "memory".
	Transfers map[string]float64
	// Accesses is how many accesses were modeled. Short says that there were as many
	// as there may be before every process had made its passages.
	Accesses int64
	Short    bool
	// References are the most of a passage, from the first one on.
	References References
	// Violated, if it is not empty, says what the lock has done that none may; there
	// are no figures then.
	Violated string `json:",omitempty"`
	// Sites are, if they were asked for, what each access of each line of source cost,
	// the dearest first.
	Sites []Site `json:",omitempty"`
}

// Value is a figure.
type Value struct {
	Value float64
	Unit  string
}

// Get returns the figure with the unit.
func (r *Result) Get(unit string) (float64, bool) {
	i := slices.IndexFunc(r.Values, func(v Value) bool { return v.Unit == unit })
	if i < 0 {
		return 0, false
	}
	return r.Values[i].Value, true
}

// TransfersPerOp is the unit of the lines that are moved in a passage. (xfers/op of bench is
// a time.)
const TransfersPerOp = "line-moves/op"

// warmUp is how many passages each process makes before the window opens.
const warmUp = 3

// window counts from the moment at which every process has made some passages
// until every one has made as many as it should in the window.
type window struct {
	t            Trial
	d            *driver
	counts, over bool
	short        bool
	inside, met  bool // a process is in its critical section; two have been

	began, ended predict.Time // of the window
	procs        []visitor
	all, total   uint64 // passages so far, and those of them in the window
	left         predict.Time
	leaver       int // the last process that has begun to leave, at the time left; -1 for none
	run          uint64
	longest      uint64
	bypass       uint64
	waits        []float64 // ns
	handoffs     []float64
	moves        []uint64 // by distance, the last is memory
	sites        *sites   // nil if they were not asked for
}

// visitor is what the window knows of a process.
type visitor struct {
	entered, counted uint64 // its passages so far, and in the window
	waits            bool
	tried            predict.Time // when it came, or in an open loop was due
	came             predict.Time
	passed           uint64 // passages of all before it came
}

func newWindow(t Trial, d *driver) (*window, error) {
	levels, err := topo.ParseLevels(t.Machine.Topology)
	if err != nil {
		return nil, err
	}
	w := &window{t: t, d: d, procs: make([]visitor, t.Workload.Procs), leaver: -1, moves: make([]uint64, len(levels)+1)}
	if t.Explain {
		w.sites = newSites(d)
	}
	return w, nil
}

// mark notes where a process is.
func (w *window) mark(process int, place uint64, now predict.Time) {
	p := &w.procs[process]
	switch place {
	case predict.Try:
		p.waits, p.tried, p.came, p.passed = true, now, now, w.all
		if w.t.Workload.Rate > 0 {
			p.tried = predict.NS(float64(w.d.procs[process].due))
		}
	case predict.Enter:
		w.enter(process, p, now)
	case predict.Leave:
		w.left, w.leaver, w.inside = now, process, false
	}
}

// ends reports whether there is nothing left to count, or to count with.
func (w *window) ends() bool {
	w.short = w.short || !w.over && w.d.engine.Accesses >= w.t.Accesses
	return w.over || w.short || w.met
}

func (w *window) enter(process int, p *visitor, now predict.Time) {
	p.waits = false
	w.met = w.met || w.inside
	w.inside = true
	p.entered++
	w.all++
	w.run++
	if process != w.leaver {
		w.run = 1
	}
	switch {
	case w.counts:
		w.waited(p, now)
		if w.leaver >= 0 && w.leaver != process && p.came < w.left {
			w.handoffs = append(w.handoffs, (now - w.left).NS())
		}
		w.longest = max(w.longest, w.run)
		p.counted++
		w.total++
		w.ended = now
		if p.counted == uint64(w.t.Passages) {
			w.over = !slices.ContainsFunc(w.procs, func(p visitor) bool { return p.counted < uint64(w.t.Passages) })
		}
	case p.entered == warmUp && !slices.ContainsFunc(w.procs, func(p visitor) bool { return p.entered < warmUp }) || w.d.engine.Accesses > w.t.Accesses/3:
		w.counts, w.began, w.ended = true, now, now
		clear(w.moves)
		if w.sites != nil {
			w.sites.reset()
		}
	}
}

// waited notes a wait in the window that ends, or that lasts when the window ends.
func (w *window) waited(p *visitor, now predict.Time) {
	w.waits = append(w.waits, (now - p.tried).NS())
	others := w.all - p.passed
	if !p.waits && others > 0 {
		others-- // its own
	}
	w.bypass = max(w.bypass, others)
}

func (w *window) moved(t predict.Transfer) {
	distance, memory := t.Distance, len(w.moves)-1
	switch {
	case distance < 0:
		distance = memory
	case distance == memory:
		return // the core that writes had the only copy: nothing moved
	}
	w.moves[distance]++
	if w.sites != nil {
		w.sites.moved(t)
	}
}

var errNoPassage = errors.New("there were as many accesses as there may be, and no passage to count")

// result works out the figures.
func (w *window) result() (*Result, error) {
	if w.total == 0 {
		return nil, errNoPassage
	}
	for i := range w.procs {
		if p := &w.procs[i]; p.waits {
			w.waited(p, w.ended)
		}
	}
	r := &Result{
		Passages:  w.total,
		Transfers: map[string]float64{},
		Accesses:  w.d.engine.Accesses,
		Short:     w.short,
	}
	put := func(unit string, v float64) {
		r.Values = append(r.Values, Value{v, unit})
	}
	passages := float64(w.total)
	ns := (w.ended - w.began).NS() / passages
	put("ns/op", ns)
	put("acq/s", 1e9/ns)
	counted := make([]uint64, len(w.procs))
	for i, p := range w.procs {
		counted[i] = p.counted
	}
	if least := slices.Min(counted); least < uint64(w.t.Passages) {
		put("least-passages", float64(least))
	}
	slices.Sort(w.waits)
	put("mean-ns", mean(w.waits))
	put("p50-ns", quantile(w.waits, 0.5))
	put("p90-ns", quantile(w.waits, 0.9))
	put("p99-ns", quantile(w.waits, 0.99))
	put("max-ns", w.waits[len(w.waits)-1])
	if len(w.procs) > 1 {
		if slices.Sort(w.handoffs); len(w.handoffs) > 0 {
			put("handoff-ns", quantile(w.handoffs, 0.5))
			put("handoff-p99-ns", quantile(w.handoffs, 0.99))
		}
		put("jain", stat.Jain(counted))
		put("bypass", float64(w.bypass))
		put("longest-run", float64(w.longest))
	}
	levels, err := topo.ParseLevels(w.t.Machine.Topology)
	if err != nil {
		return nil, err
	}
	all := 0.0
	for i, n := range w.moves {
		if n > 0 {
			name := "memory"
			if i < len(levels) {
				name = levels[i].Name
			}
			r.Transfers[name] = float64(n) / passages
			all += float64(n) / passages
		}
	}
	put(TransfersPerOp, all)
	if w.sites != nil {
		r.Sites = w.sites.list(levels, passages)
	}
	return r, nil
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// quantile is of sorted values.
func quantile(values []float64, q float64) float64 {
	return values[min(int(q*float64(len(values))), len(values)-1)]
}
