package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
	"shmbench/distributed/playback"
	"shmbench/distributed/scenario"
	"shmbench/distributed/several"
	"shmbench/distributed/verify"
	"shmbench/internal/cli"
)

var exploreVerb = cli.Verb{
	Name:    "explore",
	Summary: "explore every order of messages in a small system",
	Example: "dmesim explore -alg raymond -nodes 3 -requests 0\n" +
		"dmesim explore -alg alien-v1-printed -nodes 3 -requests 2\n" +
		"dmesim explore -alg central -nodes 3 -crash 1 -o trace.mmd\n" +
		"dmesim explore -alg central -nodes 2 -locks 2:unordered\n" +
		"dmesim explore -alg bully -nodes 3 -crash 1 -faults suspect:1",
	Stands: "alg",
	Groups: []cli.Group{
		{Heading: "faults", Flags: []string{"loss", "duplicate", "partition", "hang", "faults", "lease", "go-on"}},
		{Heading: cli.Output, Flags: []string{"json", "o"}},
		{Heading: cli.Bounds, Flags: []string{"max-states"}},
		{Heading: cli.Experts, Flags: []string{"moves", "resources", "locks", "order", "timing", "first"}},
	},
	Setup: func(fs *flag.FlagSet) cli.Body {
		x := exploration{fs: fs}
		x.choose = chooseOne(fs, algorithms|elections|broken)
		fs.IntVar(&x.config.Nodes, "nodes", 3, "how many nodes")
		nodesLimit(fs, explore.MaxNodes)
		threadsFlag(fs, &x.threads)
		fs.IntVar(&x.model.Moves, "moves", 0, "how often a thread that rests may move to another node")
		cli.Between(fs, "moves", 0, 255, "the number of moves")
		fs.IntVar(&x.model.Requests, "requests", 1, "requests a thread; 0: again and again forever")
		cli.Between(fs, "requests", 0, 255, "the number of requests")
		shapeFlag(fs, &x.shape)
		resourcesFlag(fs, &x.resources)
		fs.StringVar(&x.order, "order", "claim", "order of a pair's messages: fifo, any, or what the algorithm's claims suppose (claim)")
		cli.OneOf(fs, "order", "the order of messages", "fifo", "any", "claim")
		fs.StringVar(&x.timing, "timing", "claim", "timers expire only when no message is under way (timely), by the tick, in which a message takes up to one (ticks), at any time (any), or as the claims suppose (claim)")
		cli.OneOf(fs, "timing", "the timing", "timely", "ticks", "any", "claim")
		fs.StringVar(&x.locks, "locks", "1", "how many locks, 1 to 4; each thread needs all, and takes them in ascending order. 2:unordered: threads of odd nodes take them in descending order")
		faults := &x.model.Faults
		fs.IntVar(&faults.Lose, "loss", 0, "how many messages may be lost")
		fs.IntVar(&faults.Duplicate, "duplicate", 0, "how many messages may arrive twice")
		fs.IntVar(&faults.Crash, "crash", 0, "how many nodes may crash")
		fs.IntVar(&faults.Hang, "hang", 0, "how many threads that are in their critical sections may stay there forever")
		fs.IntVar(&faults.Partition, "partition", 0, "how many partitions may happen, and heal or not")
		for _, name := range []string{"loss", "duplicate", "crash", "hang", "partition"} {
			cli.Between(fs, name, 0, mostFaults, "the number of faults")
		}
		fs.StringVar(&x.faults, "faults", "", "further `faults`, as in "+countForms+": so many crashed nodes may restart, a leader that is up may be suspected so often, so many timers may expire before their time, partitions never heal")
		fs.BoolVar(&x.first, "first", false, "no node leads yet (elections)")
		fs.BoolVar(&x.model.GoOn, "go-on", false, "continue after two threads are in their critical sections, and check later states, too")
		leaseFlag(fs, &x.config.Lease, verify.Lease)
		fs.IntVar(&x.model.MaxStates, "max-states", explore.DefaultMaxStates, "give up beyond this many states")
		cli.AtLeast(fs, "max-states", 1, "the number of states")
		fs.StringVar(&x.out, "o", "", "also write the first trace into this `file`: a scenario for replay, or with the ending .html a page on which a reader steps through the traces, or with .mmd a Mermaid sequence diagram")
		cli.Writes(fs, "o")
		cli.JSONFlag(fs, &x.json)
		return guarded(fs, x.run)
	},
}

// exploration is one use of the verb.
type exploration struct {
	fs            *flag.FlagSet
	choose        *chooser
	about         subject
	threads       string
	shape         string
	order, timing string
	faults, locks string
	out           string
	json          bool
	count         int  // of locks
	unordered     bool // locks are taken as they are named
	resources     int
	first         bool
	config        distributed.Config
	model         explore.Model
}

func (x *exploration) run(ctx context.Context, e cli.Env, _ []string) error {
	var err error
	if x.about, err = x.choose.one(); err != nil {
		return err
	}
	if err := x.parse(); err != nil {
		return err
	}
	if err := x.build(); err != nil {
		return err
	}
	r, err := explore.Explore(ctx, x.model)
	if err != nil {
		return err
	}
	if r.States == 1 && x.about.election != nil && ctx.Err() == nil {
		return errors.New("nothing to explore: the nodes follow their leader; give -crash, -first or -faults suspect:1")
	}
	if err := x.report(e, r); err != nil {
		return err
	}
	switch {
	case len(r.Violations) > 0:
		return cli.ErrViolated
	case ctx.Err() != nil:
		return cli.CutShort("interrupted after %d states: nothing is decided", r.States)
	case !r.Complete:
		return cli.CutShort("gave up after %d states, depth %d: no violation of safety so far, nothing else is decided; raise -max-states or ask for less", r.States, r.Depth)
	}
	return nil
}

// parse reads the flags -faults and -locks.
func (x *exploration) parse() (err error) {
	if x.faults != "" {
		if err := parseCounts(x.faults, &x.model.Faults); err != nil {
			return cli.Of(x.fs, "faults", err)
		}
	}
	if f := x.model.Faults; f.CutsLast && f.Partition == 0 {
		return fmt.Errorf("-faults %s: no-heal needs -partition", x.faults)
	}
	number, how, unordered := strings.Cut(x.locks, ":")
	if x.count, err = strconv.Atoi(number); err != nil || x.count < 1 || x.count > mostLocks || unordered && how != "unordered" {
		return fmt.Errorf("-locks %s: the number of locks must be between 1 and %d, as in 2 or 2:unordered", x.locks, mostLocks)
	}
	if x.unordered = unordered; unordered && x.count == 1 {
		return fmt.Errorf("-locks %s: one lock has no order", x.locks)
	}
	return nil
}

// mostLocks is the most locks that threads may need at once.
const mostLocks = 4

// build makes the model's nodes and sets what the algorithm's claims suppose.
func (x *exploration) build() error {
	if a := x.about.election; a != nil {
		if err := cli.Refuse(x.fs, a.Name+" is an election", "locks", "resources", "threads", "moves", "requests", "shape", "hang", "go-on", "lease"); err != nil {
			return err
		}
		c := election.Config{Nodes: x.config.Nodes, First: x.first}
		electors, err := a.New(c)
		if err != nil {
			return err
		}
		x.model.Nodes, x.model.Threads, x.model.HighestLeads = explore.Nodes(electors), 1, true
		x.model.MaxElections = verify.MaxElections(x.model.Faults, c)
		x.suppose(a.FIFO, true)
		return nil
	}
	a := x.about.algorithm
	if err := cli.Refuse(x.fs, a.Name+" has no leader", "first"); err != nil {
		return err
	}
	if x.model.Faults.Suspicions > 0 {
		return fmt.Errorf("-faults %s: %s has no leader to suspect", x.faults, a.Name)
	}
	if x.resources != 1 && x.count != 1 {
		return errors.New("-locks cannot be combined with -resources: a thread needs all locks, or one resource at a time")
	}
	if err := leased(x.fs, a); err != nil {
		return err
	}
	if err := populate(&x.config, x.threads, x.model.Moves > 0); err != nil {
		return cli.Of(x.fs, "threads", err)
	}
	if err := x.config.Check(); err != nil {
		return cli.Of(x.fs, "threads", err)
	}
	if name, file := strings.CutPrefix(x.shape, "file:"); file {
		if err := cli.NotWritten(x.fs, name); err != nil {
			return err
		}
	}
	if err := shape(a, &x.config, x.shape); err != nil {
		return err
	}
	nodes, err := x.nodes(a)
	if err != nil {
		return err
	}
	x.model.Nodes, x.model.Threads, x.model.Present = explore.Nodes(nodes), x.config.Threads, x.config.Present
	x.model.Apart, x.model.Wins = a.Apart, a.Claims.Wins
	if x.count == 1 && x.resources == 1 {
		x.model.Invariants = a.Invariants
	}
	x.suppose(a.Claims.FIFO, a.Claims.Timely || a.Claims.Timers)
	return nil
}

// nodes builds the nodes of a, or of as many locks of it as asked for.
func (x *exploration) nodes(a *distributed.Algorithm) ([]distributed.Node, error) {
	if x.count == 1 {
		a, err := ofResources(a, x.resources)
		if err != nil {
			return nil, err
		}
		return a.New(x.config)
	}
	return several.New(a, x.config, x.count, x.plan())
}

// plan is that of threads that need all locks.
func (x *exploration) plan() several.Plan {
	plan := several.Plan(func(i distributed.ID, _ distributed.Thread) [][]uint16 {
		locks := make([]uint16, x.count)
		for k := range locks {
			locks[k] = uint16(k)
		}
		if i%2 != 0 {
			slices.Reverse(locks)
		}
		return [][]uint16{locks}
	})
	if !x.unordered {
		plan = several.Ordered(plan)
	}
	return plan
}

// system is what a scenario says of the system that was explored, to show how the
// property breaks.
func (x *exploration) system(broken explore.Property) scenario.System {
	s := scenario.System{Algorithm: x.about.name, Nodes: x.config.Nodes, Threads: x.model.Threads, Requests: x.model.Requests}
	say := func(format string, args ...any) { s.Lines = append(s.Lines, fmt.Sprintf(format, args...)) }
	if x.config.Parent != nil {
		say("tree     %s", cli.Joined(x.config.Parent))
	}
	if x.config.Quorums != nil {
		say("quorums  %s", x.shape)
	}
	if !x.model.FIFO {
		say("order    any")
	}
	say("timing   %v", x.model.Timing)
	if x.first {
		say("first")
	}
	if x.about.algorithm != nil && x.about.algorithm.Lease {
		say("lease    %d", x.config.Lease)
	}
	if x.model.GoOn && broken != explore.MutualExclusion {
		say("go-on")
	}
	if x.config.Present != nil {
		say("present  %s", cli.Joined(x.config.Present))
	}
	if x.resources > 1 {
		say("resources %d", x.resources)
	}
	if x.count > 1 {
		say("locks    %d", x.count)
		for i := range distributed.ID(x.config.Nodes) {
			say("needs    %d %s", i, cli.Joined(x.plan()(i, 0)[0]))
		}
	}
	return s
}

// suppose sets the order of messages and the timing that are asked for, or else those
// that the claims suppose.
func (x *exploration) suppose(fifo, timely bool) {
	x.model.FIFO = x.order == "fifo" || x.order == "claim" && fifo
	switch {
	case x.timing == "timely", x.timing == "claim" && timely:
		x.model.Timing = explore.Timely
	case x.timing == "ticks":
		x.model.Timing = explore.Ticks
	}
}

func (x *exploration) report(e cli.Env, r *explore.Result) error {
	w := e.Stdout
	out := &explore.Exploration{
		Algorithm: x.about.name, Nodes: x.config.Nodes, Threads: x.model.Threads, Requests: x.model.Requests,
		FIFO: x.model.FIFO, Timing: x.model.Timing, Faults: x.model.Faults, Invariants: invariantNames(x.model.Invariants), Result: r,
	}
	if err := x.writeTrace(e.Stderr, out); err != nil {
		return err
	}
	if x.json {
		return writeJSON(w, "explore", r.Complete || len(r.Violations) > 0, out)
	}
	for i := range r.Violations {
		if err := r.Violations[i].WriteText(w); err != nil {
			return err
		}
	}
	for _, fault := range r.NotCarriedOut {
		fmt.Fprintf(w, "NOT CARRIED OUT: %s: there was nothing in any state that it could befall\n", fault)
	}
	_, err := fmt.Fprintf(w, "%s: %s; %d states, %d steps, depth %d%s\n", x.about.name, verdictOf(r), r.States, r.Steps, r.Depth, x.supposing()+x.holding())
	return err
}

// writeTrace writes the file of -o.
func (x *exploration) writeTrace(diagnostics io.Writer, found *explore.Exploration) error {
	ending := filepath.Ext(x.out)
	switch {
	case x.out == "":
		return nil
	case ending == ".html":
		return playback.Explored(found).WritePage(diagnostics, x.out)
	case len(found.Violations) == 0:
		fmt.Fprintf(diagnostics, "dmesim explore: -o %s is not written: no violation was found, so there is no trace\n", x.out)
		return nil
	}
	v := &found.Violations[0]
	return cli.WriteFile(x.out, nil, func(w io.Writer) error {
		if ending == ".mmd" {
			return v.WriteMermaid(w, x.config.Nodes)
		}
		return scenario.WriteViolation(w, x.system(v.Property), v)
	})
}

func verdictOf(r *explore.Result) string {
	switch {
	case len(r.Violations) > 0:
		return "violated"
	case !r.Complete:
		return "undecided"
	}
	return "holds"
}

// supposing says what was supposed of messages and timers.
func (x *exploration) supposing() string {
	s := []string{"messages of a pair in any order"}
	if x.model.FIFO {
		s[0] = "messages of a pair in order"
	}
	switch x.model.Timing {
	case explore.Timely:
		s = append(s, "timers behind messages")
	case explore.Ticks:
		s = append(s, "time in ticks")
	}
	return "; " + strings.Join(s, ", ")
}

// holding names the invariants that were held in every state.
func (x *exploration) holding() string {
	if len(x.model.Invariants) == 0 {
		return ""
	}
	return "; invariants: " + strings.Join(invariantNames(x.model.Invariants), ", ")
}

func invariantNames(invariants []distributed.Invariant) []string {
	names := make([]string, len(invariants))
	for k, inv := range invariants {
		names[k] = inv.Name
	}
	return names
}
