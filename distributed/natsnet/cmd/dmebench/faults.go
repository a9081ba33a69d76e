package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/verify"
	"shmbench/internal/cli"
	"shmbench/internal/cli/tty"
)

// usualAlgs are the algorithms without -alg: one or two of each kind that a fault
// treats differently.
const usualAlgs = "^(central|ricart-agrawala|ricart-agrawala-timeout|maekawa|suzuki-kasami|raymond|naimi-trehel|token-ring|central-bully|token-ring-bully|central-majority|lease-register)$"

var faultsVerb = cli.Verb{
	Name:    "faults",
	Summary: "what each fault does to processes: kills, pauses, a partition, a server that restarts",
	Example: "dmebench faults\ndmebench faults -alg '^central' -over tcp -deadline 5s",
	Setup: func(fs *flag.FlagSet) cli.Body {
		f := &faultsFlags{}
		fs.StringVar(&f.alg, "alg", usualAlgs, "the algorithms whose names match this `regexp`")
		fs.StringVar(&f.fault, "fault", "", "the faults whose names match this `regexp` (default all)")
		overFlag(fs, &f.over)
		fs.DurationVar(&f.tick, "tick", 100*time.Millisecond, "a timer's tick, the delay that the algorithm supposes")
		fs.DurationVar(&f.deadline, "deadline", 10*time.Second, "how long a thread may wait to enter before the report names the nodes that wait, and those that they wait for")
		fs.DurationVar(&f.hold, "hold", 4*time.Second, "how long a pause or a partition lasts, if no thread enters before")
		cli.AtLeast(fs, "tick", time.Millisecond, "a tick")
		cli.AtLeast(fs, "deadline", time.Second, "the deadline")
		cli.AtLeast(fs, "hold", time.Millisecond, "the time")
		fs.IntVar(&f.states, "max-states", 100_000, "what the explorer says of the same fault, leaving it undecided beyond this many states; 0: it is not asked")
		cli.AtLeast(fs, "max-states", 0, "the number of states")
		fs.BoolVar(&f.markdown, "markdown", false, "print a table in Markdown, with a row for each algorithm and a column for each fault")
		fs.BoolVar(&f.json, "json", false, "print one JSON document")
		return func(ctx context.Context, e cli.Env, _ []string) error { return f.run(ctx, e) }
	},
}

// faultsFlags is one use of the verb.
type faultsFlags struct {
	alg, fault, over string
	tick             time.Duration
	deadline, hold   time.Duration
	states           int
	markdown, json   bool
}

// row is an outcome together with the explorer's verdict on three nodes.
type row struct {
	*harness.Outcome
	Explored string `json:"explored"` // "": nothing
}

// play is one fault in a run of one algorithm.
type play struct {
	algorithm *distributed.Algorithm
	fault     *harness.Fault
}

// plan returns the selected faults, algorithm by algorithm.
func (f *faultsFlags) plan() (plan []play, err error) {
	if f.markdown && f.json {
		return nil, errors.New("-markdown and -json: one of them")
	}
	known := cli.Named[*harness.Fault]{Kind: "fault", Flag: "fault", Name: func(fault *harness.Fault) string { return fault.Name }}
	for k := range harness.Faults {
		if fault := &harness.Faults[k]; !fault.Server || f.over == "nats" {
			known.All = append(known.All, fault)
		}
	}
	faults, err := known.Match(f.fault)
	if err != nil {
		return nil, err
	}
	algs, err := named(catalog.All).Match(f.alg)
	if err != nil {
		return nil, err
	}
	for _, a := range algs {
		for _, fault := range faults {
			plan = append(plan, play{a, fault})
		}
	}
	return plan, nil
}

func (f *faultsFlags) run(ctx context.Context, e cli.Env) error {
	plan, err := f.plan()
	if err != nil {
		return err
	}
	rows, err := f.play(ctx, e, plan)
	if err != nil {
		return err
	}
	switch {
	case f.json:
		err = cli.WriteJSON(e.Stdout, "dmebench", "faults", ctx.Err() == nil, rows)
	case f.markdown:
		err = markdown(e.Stdout, rows)
	default:
		err = f.print(e.Stdout, rows)
	}
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Violates() {
			return cli.ErrViolated
		}
	}
	return cli.Interrupted(ctx, "%d of %d faults were played", len(rows), len(plan))
}

// play plays the faults until ctx ends.
func (f *faultsFlags) play(ctx context.Context, e cli.Env, plan []play) ([]row, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	one, err := node.ParseLoad("one")
	if err != nil {
		return nil, err
	}
	rows := []row{}
	var explored map[string]string
	bar := tty.NewProgress(e.Stderr, len(plan))
	defer bar.Clear()
	for k, p := range plan {
		a, fault := p.algorithm, p.fault
		if k == 0 || plan[k-1].algorithm != a {
			bar.At(k, a.Name+", in the explorer")
			if explored, err = f.explored(ctx, plan, a); err != nil && ctx.Err() == nil {
				return nil, err
			}
		}
		bar.At(k, a.Name+", "+fault.Name)
		o, err := harness.PlayFault(ctx, harness.Options{
			Setup: node.Setup{
				Algorithm: a, System: distributed.Config{Nodes: harness.FaultNodes, Threads: 1, Server: a.Apart}, Load: one, Tick: f.tick, Fenced: true,
			},
			Program: program, TCP: f.over == "tcp", Entries: 1, Deadline: f.deadline, Hold: f.hold,
		}, fault)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", a.Name, fault.Name, err)
		}
		rows = append(rows, row{o, explored[fault.Trial]})
		if !tty.Is(e.Stderr) {
			fmt.Fprintf(e.Stderr, "dmebench faults: %d/%d: %s, %s: the others %s\n", k+1, len(plan), a.Name, fault.Name, rows[k].others())
		}
	}
	return rows, nil
}

// explored returns the explorer's verdicts on a in the trials that belong to the
// plan.
func (f *faultsFlags) explored(ctx context.Context, plan []play, a *distributed.Algorithm) (map[string]string, error) {
	words := map[string]string{}
	var trials []string
	for _, p := range plan {
		if p.algorithm == a && p.fault.Trial != "" {
			trials = append(trials, p.fault.Trial)
		}
	}
	if f.states == 0 || len(trials) == 0 {
		return words, nil
	}
	verdicts, err := verify.Algorithm(ctx, a, f.states, trials...)
	for _, v := range verdicts {
		words[v.Trial] = v.String()
	}
	return words, err
}
