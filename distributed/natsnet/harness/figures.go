package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/sim"
	"shmbench/internal/results/stat"
)

// Figures are the measurements of a real or simulated run. Times are in seconds.
type Figures struct {
	Entries    int        `json:"entries"`
	Messages   sim.Number `json:"messages"` // messages per entry; null: unknown
	Wait       float64    `json:"wait"`     // mean, from the request to the permission
	Median     float64    `json:"median"`   // median of the same time
	Local      float64    `json:"local"`    // median of the part of the wait between a thread and its node, which is not simulated
	Sync       sim.Number `json:"sync"`     // mean time from an exit to the next entry if a process waited
	Throughput float64    `json:"throughput"`
	Jain       float64    `json:"jain"`
}

// A Result is the result of a run.
type Result struct {
	Measured  Figures         `json:"measured"`
	Predicted *Figures        `json:"predicted"` // null: the run measured nothing to predict from
	History   history.Verdict `json:"history"`
	Resource  resource.State  `json:"resource"`
	Lost      int64           `json:"lost"`    // lost updates of the resource
	Refused   int             `json:"refused"` // entries whose token the resource refused as old
	Delay     time.Duration   `json:"delay"`   // mean delay of a message

	// Delays are the mean delays of each kind of message.
	Delays map[distributed.Kind]time.Duration `json:"delays"`

	Nodes []*node.Report `json:"nodes"`
	PIDs  []int          `json:"pids"`
}

// Do makes a whole run. If the run ends early because ctx ends, a node fails or no node
// enters, Do returns an error together with the result so far.
func Do(ctx context.Context, o Options) (result *Result, err error) {
	r, err := Begin(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	messages, err := r.Load()
	if err == nil {
		result, err = r.Finish(messages)
	}
	if err != nil {
		result = r.early()
	}
	return result, err
}

// judging is the longest time for judging a history.
const judging = time.Minute

// Finish ends the nodes and sums up a run whose nodes have sent that many
// messages. It returns an error if a node fails or a history cannot be read.
func (r *Run) Finish(messages int64) (*Result, error) {
	r.tellAll(node.Command{Do: node.Finish})
	if err := r.all(node.Result, func(said) {}); err != nil {
		return nil, err
	}
	result, entries, err := r.Judge()
	if err != nil {
		return nil, err
	}
	measured := r.measured(entries)
	result.Measured = figures(measured, r.o.System)
	result.Measured.Messages = sim.Number(float64(messages) / float64(len(entries)))
	var delays []time.Duration
	ofKind := map[distributed.Kind][]time.Duration{}
	for _, n := range r.reports {
		for _, d := range n.Delays {
			delays, ofKind[d.Kind] = append(delays, d.Took), append(ofKind[d.Kind], d.Took)
		}
		n.Delays = nil
	}
	if len(delays) == 0 || len(measured) == 0 {
		return result, nil
	}
	o := r.simulated()
	o.Delay, o.Delays = sim.Sampled(delays), map[distributed.Kind]sim.Distribution{}
	result.Delay, result.Delays = o.Delay.Mean(), map[distributed.Kind]time.Duration{}
	for kind, took := range ofKind {
		o.Delays[kind] = sim.Sampled(took)
		result.Delays[kind] = o.Delays[kind].Mean()
	}
	if r.o.Load.One() {
		o.Section = sim.Fixed(100 * o.Delay.Bound()) // all comes to rest inside
	} else {
		var sections []time.Duration
		for _, e := range measured {
			sections = append(sections, time.Duration(e.Left-e.Entered))
		}
		o.Section = sim.Sampled(sections)
	}
	result.Predicted, err = predict(r.ctx, *o)
	return result, err
}

// Judge judges the run so far from outside: by the histories, whose entries it
// returns, and by the resource.
func (r *Run) Judge() (*Result, []history.Entry, error) { return r.judge(r.ctx, judging) }

func (r *Run) judge(ctx context.Context, within time.Duration) (*Result, []history.Entry, error) {
	all, err := r.Histories()
	if err != nil {
		return nil, nil, err
	}
	result := &Result{Nodes: r.reports}
	if result.Resource, err = r.resource.State(ctx); err != nil {
		return nil, nil, err
	}
	result.History = history.Judge(history.Evidence{Histories: all, Resource: &result.Resource, OneClock: true, Within: within})
	result.Lost = result.Resource.Lost()
	var entries []history.Entry
	for _, h := range all {
		entries = append(entries, h.Entries...)
	}
	for _, c := range r.children {
		result.PIDs = append(result.PIDs, c.cmd.Process.Pid)
	}
	for _, e := range entries {
		if e.Write == history.Refused {
			result.Refused++
		}
	}
	return result, entries, nil
}

// measured returns the measured entries in the order of their beginnings.
func (r *Run) measured(entries []history.Entry) []history.Entry {
	kept := slices.DeleteFunc(slices.Clone(entries), func(e history.Entry) bool { return e.Left == 0 })
	slices.SortFunc(kept, func(a, b history.Entry) int { return cmp.Compare(a.Entered, b.Entered) })
	if r.o.Load.One() {
		return kept // all are alike, and messages are counted from the first on
	}
	from := min(r.o.Warmup, len(kept))
	return kept[from:min(from+r.o.Entries, len(kept))]
}

// figures sums up entries, which must be in order.
func figures(entries []history.Entry, c distributed.Config) (f Figures) {
	f.Entries = len(entries)
	if len(entries) == 0 {
		return f
	}
	var waits, locals, syncs []float64
	perNode := make([]int64, c.Nodes)
	for k, e := range entries {
		waits = append(waits, float64(e.Entered-e.Asked)/1e9)
		locals = append(locals, float64(e.Local)/1e9)
		perNode[e.Node]++
		if k > 0 {
			left := entries[k-1].Left
			waiting := func(e history.Entry) bool { return e.Asked < left }
			if end := min(k+c.Nodes*c.Threads, len(entries)); slices.ContainsFunc(entries[k:end], waiting) {
				syncs = append(syncs, float64(e.Entered-left)/1e9)
			}
		}
	}
	f.Wait, f.Median, f.Sync = sim.MeanOf(waits).Mean, median(waits), sim.Number(sim.MeanOf(syncs).Mean)
	f.Local = median(locals)
	f.Throughput = float64(len(entries)-1) / (float64(entries[len(entries)-1].Left-entries[0].Left) / 1e9)
	if c.Server { // where nothing is asked for
		perNode = perNode[1:]
	}
	f.Jain = stat.Jain(perNode)
	return f
}

func median(x []float64) float64 {
	slices.Sort(x)
	if n := len(x); n%2 == 0 {
		return (x[n/2-1] + x[n/2]) / 2
	}
	return x[len(x)/2]
}

// simulated returns the options of the same run for the simulator, without times.
func (r *Run) simulated() *sim.Options {
	return &sim.Options{Algorithm: r.o.Algorithm, System: r.o.System, Load: r.o.Load.Sim(), Entries: r.o.Warmup + r.o.Entries, Seed: r.o.Seed}
}

// enough is the number of simulated entries where a larger number would say more.
const enough = 20_000

// predict simulates o and returns its figures.
func predict(ctx context.Context, o sim.Options) (*Figures, error) {
	if o.Load != sim.Single() {
		o.Warmup, o.Entries = 1000, enough
	}
	var waits []float64
	o.Waited = func(d time.Duration) { waits = append(waits, d.Seconds()) }
	s, err := sim.Run(ctx, o)
	switch {
	case err != nil:
		return nil, err
	case s.End != sim.Complete:
		return nil, fmt.Errorf("the simulation ended otherwise: %v: %s", s.End, s.Detail)
	}
	f := &Figures{
		Entries: s.Entries, Wait: sim.MeanOf(waits).Mean, Median: median(waits),
		Sync: sim.Number(s.SyncDelay.Mean), Jain: s.Jain,
	}
	f.Messages = sim.Number(float64(s.Messages.Total()) / float64(s.Entries))
	f.Throughput = float64(s.Entries) / s.Time.Seconds()
	return f, nil
}
