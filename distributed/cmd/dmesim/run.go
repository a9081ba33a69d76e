package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shmbench/distributed"
	"shmbench/distributed/batch"
	"shmbench/distributed/sim"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/tty"
)

var runVerb = cli.Verb{
	Name:    "run",
	Summary: "simulate one message-passing algorithm under a load, with or without faults",
	Example: "dmesim run -alg alien-v2-pb -nodes 31 -threads 10 -rate 1\n" +
		"dmesim run -alg central -nodes 9 -rate max -faults \"crash 0 at 5s\"\n" +
		"dmesim run -alg ricart-agrawala -rate one -delay 1s -cs 10s -json",
	Stands: "alg",
	Groups: []cli.Group{
		{Heading: "faults", Flags: []string{"faults", "loss", "duplicate", "lease", "go-on"}},
		{Heading: cli.Output, Flags: []string{"json"}},
		{Heading: cli.Bounds, Flags: []string{"entries", "warmup", "replications"}},
		{Heading: cli.Experts, Flags: []string{"move", "batch", "resources", "overtaking", "tick"}},
	},
	Setup: func(fs *flag.FlagSet) cli.Body {
		s := simulation{fs: fs}
		s.choose = chooseOne(fs, algorithms|broken)
		fs.IntVar(&s.o.System.Nodes, "nodes", 31, "how many nodes")
		nodesLimit(fs, distributed.MaxNodes)
		threadsFlag(fs, &s.threads)
		fs.Float64Var(&s.o.Move, "move", 0, "probability that a thread that leaves goes to another node before it rests")
		probability(fs, "move")
		fs.StringVar(&s.rate, "rate", "1", "requests a second and node; any:R: R requests, each of any thread of the node, and lost if that one waits or is in its critical section; max: every thread always asks; one: one request at a time")
		fs.StringVar(&s.section, "cs", "10ms", "time in the critical section: "+sim.DistributionForms)
		fs.StringVar(&s.delay, "delay", "uniform:0s,100ms", "a message's delay, likewise")
		fs.BoolVar(&s.o.Overtaking, "overtaking", false, "messages of a pair of nodes may overtake each other")
		fs.Float64Var(&s.o.Random.Loss, "loss", 0, "probability that a message is lost")
		probability(fs, "loss")
		fs.Float64Var(&s.o.Random.Duplication, "duplicate", 0, "probability that a message arrives twice")
		probability(fs, "duplicate")
		fs.StringVar(&s.faults, "faults", "", "`faults` at a time, as in \""+sim.FaultForms+"\", or at random, with mean times, as in \""+randomForms+"\"")
		fs.BoolVar(&s.o.GoOn, "go-on", false, "two threads in their critical sections do not end a run: they are counted")
		fs.IntVar(&s.batch, "batch", batch.Waiting, "most threads of a node that enter while it has the token, of the algorithms in batches; 0: those that wait when it gets it")
		cli.AtLeast(fs, "batch", 0, "the number of threads")
		leaseFlag(fs, &s.o.System.Lease, distributed.DefaultLease)
		fs.DurationVar(&s.o.Tick, "tick", 0, "a timer's tick, the delay that the algorithm supposes; 0: the longest delay")
		cli.Between(fs, "tick", 0, sim.LongestTime, "the tick")
		shapeFlag(fs, &s.shape)
		resourcesFlag(fs, &s.resources)
		fs.IntVar(&s.o.Entries, "entries", 10_000, "entries measured in each run")
		cli.AtLeast(fs, "entries", 1, "the number of entries")
		fs.IntVar(&s.o.Warmup, "warmup", 1000, "entries before measuring, in each run")
		cli.AtLeast(fs, "warmup", 0, "the number of entries")
		fs.IntVar(&s.replications, "replications", 10, "independent runs")
		cli.Between(fs, "replications", 1, maxReplications, "the number of runs")
		cli.SeedFlag(fs, &s.o.Seed)
		cli.JSONFlag(fs, &s.json)
		return apart(fs, s.run)
	},
}

// simulation is one use of the verb.
type simulation struct {
	fs                                  *flag.FlagSet
	threads                             string
	choose                              *chooser
	rate, section, delay, faults, shape string
	json                                bool
	replications, resources, batch      int
	o                                   sim.Options
}

func (s *simulation) run(ctx context.Context, e cli.Env, _ []string) error {
	if err := s.parse(); err != nil {
		return err
	}
	bar, done, mu := tty.NewProgress(e.Stderr, s.replications), 0, sync.Mutex{}
	runs := make([]sim.Result, s.replications)
	err := sim.Each(ctx, s.replications, func(k int) (err error) {
		runs[k], err = sim.Run(ctx, s.o.Replication(k))
		mu.Lock()
		defer mu.Unlock()
		done++
		bar.At(done, "runs")
		return err
	})
	bar.Clear()
	if err != nil && ctx.Err() == nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(r sim.Result) bool { return r.Events == 0 || r.End == sim.Cancelled })
	if len(runs) == 0 {
		if s.json {
			return cli.First(writeJSON(e.Stdout, "run", false, nil), ctx.Err())
		}
		return cli.CutShort("interrupted before a run was complete")
	}
	sum := sim.Summarize(runs)
	if s.json {
		err = writeJSON(e.Stdout, "run", len(runs) == s.replications, struct {
			Algorithm string  `json:"algorithm"`
			Nodes     int     `json:"nodes"`
			Threads   int     `json:"threads"`              // a node, at first
			Present   []int   `json:"threads_of,omitempty"` // those of each node, at first, if -threads lists them
			Move      float64 `json:"move,omitempty"`       // probability that a leaving node moves
			Resources int     `json:"resources"`
			Rate      float64 `json:"rate,omitempty"` // 1/s a node
			Load      string  `json:"load"`
			sim.Summary
		}{s.o.Algorithm.Name, s.o.System.Nodes, s.o.System.Begins(0), s.listed(), s.o.Move, s.resources, s.o.Load.Rate(), s.o.Load.String(), sum})
	} else {
		err = s.print(e.Stdout, sum, runs)
	}
	if err != nil {
		return err
	}
	switch {
	case sum.End != sim.Complete && sum.End != sim.TimeUp,
		sum.Starving > 0 && s.o.Algorithm.Claims.StarvationFree:
		return cli.ErrViolated
	}
	return cli.Interrupted(ctx, "%d of %d runs are complete", len(runs), s.replications)
}

// listed returns the threads of each node, if -threads lists them.
func (s *simulation) listed() []int {
	if !strings.Contains(s.threads, ",") {
		return nil
	}
	return s.o.System.Present
}

// maxReplications is more independent runs than any interval needs, and few
// enough to keep the results of all.
const maxReplications = 100_000

// parse fills in the options that the flag package does not.
func (s *simulation) parse() (err error) {
	about, err := s.choose.one()
	if err != nil {
		return err
	}
	s.o.Algorithm = about.algorithm
	if err = leased(s.fs, s.o.Algorithm); err != nil {
		return err
	}
	switch bounded, in := batch.Bounded(s.o.Algorithm, s.batch); {
	case in:
		s.o.Algorithm = &bounded
	default:
		if err = cli.Refuse(s.fs, s.o.Algorithm.Name+" has no batches", "batch"); err != nil {
			return err
		}
	}
	if s.o.Load, err = parseLoad(s.rate); err != nil {
		return err
	}
	if s.o.Section, err = sim.ParseDistribution(s.section); err != nil {
		return cli.Of(s.fs, "cs", err)
	}
	if s.o.Delay, err = sim.ParseDistribution(s.delay); err != nil {
		return cli.Of(s.fs, "delay", err)
	}
	loss, duplication := s.o.Random.Loss, s.o.Random.Duplication
	if s.o.Faults, s.o.Random, err = parseFaults(s.faults); err != nil {
		return cli.Of(s.fs, "faults", err)
	}
	s.o.Random.Loss, s.o.Random.Duplication = loss, duplication
	if err = populate(&s.o.System, s.threads, s.o.Move > 0); err != nil {
		return cli.Of(s.fs, "threads", err)
	}
	if err = s.o.System.Check(); err != nil { // before a tree of so many nodes is built
		return cli.Of(s.fs, "threads", err)
	}
	if err = shape(s.o.Algorithm, &s.o.System, s.shape); err != nil {
		return err
	}
	if s.o.Algorithm, err = ofResources(s.o.Algorithm, s.resources); err != nil {
		return err
	}
	return s.o.Check()
}

func parseLoad(rate string) (sim.Load, error) {
	switch rate {
	case "max":
		return sim.Saturated(), nil
	case "one":
		return sim.Single(), nil
	}
	number, any := strings.CutPrefix(rate, "any:")
	r, err := strconv.ParseFloat(number, 64)
	if err != nil || !(r >= sim.LeastRate && r <= sim.MostRate) {
		return sim.Load{}, fmt.Errorf("-rate %s: the rate must be max, one, or requests a second between %v and %.0f, as in 1 or any:1", rate, sim.LeastRate, sim.MostRate)
	}
	if any {
		return sim.PoissonAny(r), nil
	}
	return sim.Poisson(r), nil
}

func (s *simulation) print(w io.Writer, sum sim.Summary, runs []sim.Result) error {
	interval := func(mean, half sim.Number) string {
		return sim.Interval{Mean: float64(mean), Half: float64(half)}.String()
	}
	t := table.New(w)
	line := func(what, value string) { fmt.Fprintf(t, "%s\t%s\n", what, value) }
	line("algorithm", s.o.Algorithm.Title)
	line("system", fmt.Sprintf("%d nodes, threads a node: %s, resources: %d", s.o.System.Nodes, s.threads, s.resources))
	line("load", fmt.Sprintf("%v; critical section %v; delay %v", s.o.Load, s.o.Section, s.o.Delay))
	if s.o.Move > 0 {
		line("threads that leave", fmt.Sprintf("move to another node with probability %v, by a message", s.o.Move))
	}
	line("runs", fmt.Sprintf("%d, %d entries, %d events", sum.Replications, sum.Entries, sum.Events))
	line("messages an entry", interval(sum.MessagesPerEntry, sum.MessagesPerEntryHalf))
	for _, kind := range slices.Sorted(maps.Keys(sum.ByKind)) {
		line("  "+kind, fmt.Sprintf("%.4g", float64(sum.ByKind[kind])))
	}
	line("waiting time", interval(sum.WaitingTime, sum.WaitingTimeHalf)+" s")
	line("longest wait", fmt.Sprintf("%.4g s", float64(sum.LongestWait)))
	line("synchronization delay", interval(sum.SyncDelay, sum.SyncDelayHalf)+" s")
	if slices.ContainsFunc(runs, func(r sim.Result) bool { return r.Time > 0 }) {
		line("throughput", interval(sum.Throughput, sum.ThroughputHalf)+" entries/s")
	} else {
		line("throughput", "– entries/s: no time passed")
	}
	line("entries without a message", interval(100*sum.WithoutMessage, 100*sum.WithoutMessageHalf)+" %")
	line("fairness (Jain's index)", fmt.Sprintf("%.4f", float64(sum.Jain)))
	line("most entries of others in a wait", fmt.Sprint(sum.Bypass))
	if sum.Waiters > 0 {
		line("waiting when a run ended", waiting(sum, runs))
	}
	if sum.Lost+sum.Duplicated+sum.Crashes > 0 {
		line("faults", fmt.Sprintf("%d messages lost, %d doubled, %d crashes", sum.Lost, sum.Duplicated, sum.Crashes))
	}
	if sum.Revoked > 0 {
		line("permissions taken back", fmt.Sprintf("%d entries cut short", sum.Revoked))
	}
	if sum.Overlaps > 0 {
		line("TWO INSIDE", fmt.Sprintf("%d entries", sum.Overlaps))
	}
	for _, text := range sum.NotCarriedOut {
		line("NOT CARRIED OUT", text)
	}
	ends := map[string]int{}
	for i := range runs {
		ends[runs[i].End.String()]++
	}
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		line("ended", fmt.Sprintf("%s: %d of %d", end, ends[end], len(runs)))
	}
	if sum.Detail != "" {
		line("the first such", sum.Detail)
	}
	return t.Flush()
}

// waiting says how many threads were left waiting, and who for longest.
func waiting(sum sim.Summary, runs []sim.Result) string {
	oldest := slices.MaxFunc(runs, func(a, b sim.Result) int { return cmp.Compare(a.Oldest.Waited, b.Oldest.Waited) }).Oldest
	text := fmt.Sprintf("up to %d, node %d thread %d for longest: %.4g s", sum.Waiters, oldest.Node, oldest.Thread, float64(sum.OldestWait))
	if sum.Starving > 0 {
		text += fmt.Sprintf("; up to %d beyond the patience", sum.Starving)
	}
	return text
}
