package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/kvlock"
	"shmbench/internal/cli"
)

var runVerb = cli.Verb{
	Name:    "run",
	Summary: "run all nodes as processes of this machine, beside what the simulator says",
	Example: "dmebench run -alg raymond -nodes 5\n" +
		"dmebench run -alg ricart-agrawala -nodes 4 -rate one -over tcp\n" +
		"dmebench run -alg central -nodes 3 -rate 50 -nats nats://localhost:4222",
	Setup: func(fs *flag.FlagSet) cli.Body {
		r := &runFlags{}
		r.flags(fs)
		fs.IntVar(&r.config.Nodes, "nodes", 5, "how many nodes")
		fs.StringVar(&r.over, "over", "nats", "what the nodes talk over: nats or tcp")
		fs.IntVar(&r.o.Entries, "entries", 1000, "entries measured")
		fs.IntVar(&r.o.Warmup, "warmup", 100, "entries before measuring")
		fs.DurationVar(&r.o.Deadline, "deadline", 10*time.Second, "end when for so long somebody waits and nobody enters, and say who waits for whom")
		fs.BoolVar(&r.o.KV, "kv", false, "what the threads write to is an entry of JetStream's key-value store, not a file; over NATS only")
		fs.BoolVar(&r.beside, "beside", true, "over NATS: measure, too, what a user would take instead, a lock on JetStream's key-value store with a lease")
		fs.BoolVar(&r.json, "json", false, "print one JSON document")
		return func(ctx context.Context, e cli.Env, _ []string) error { return r.run(ctx, e) }
	},
}

// runFlags is one use of the verb.
type runFlags struct {
	system
	over         string
	json, beside bool
	o            harness.Options
}

// maxEntries is more entries than any figure needs, and few enough to keep them all.
const maxEntries = 1_000_000

func (r *runFlags) run(ctx context.Context, e cli.Env) error {
	if err := r.parse(); err != nil {
		return err
	}
	result, err := harness.Do(ctx, r.o)
	var stall *harness.Stall
	switch {
	case ctx.Err() != nil:
		if r.json {
			cli.WriteJSON(e.Stdout, "dmebench", "run", false, nil)
		}
		return cli.CutShort("interrupted")
	case errors.As(err, &stall):
		fmt.Fprintln(e.Stderr, stall)
		return cli.ErrViolated
	case err != nil:
		return err
	}
	lease, err := r.leased(ctx, e)
	if err != nil {
		return err
	}
	if r.json {
		err = cli.WriteJSON(e.Stdout, "dmebench", "run", true, struct {
			*harness.Result
			Lease *harness.Result `json:"lease"` // null: it was not measured
		}{result, lease})
	} else {
		err = r.print(e.Stdout, result, lease)
	}
	switch {
	case err != nil:
		return err
	}
	return judged(result.History)
}

// leased measures the lock on JetStream's key-value store under the same load; nil:
// it is not to be.
func (r *runFlags) leased(ctx context.Context, e cli.Env) (*harness.Result, error) {
	if !r.beside || r.o.TCP || r.o.Algorithm == &kvlock.Card {
		return nil, nil
	}
	o := r.o
	o.Algorithm, o.System.Server, o.Double = &kvlock.Card, false, false
	result, err := harness.Do(ctx, o)
	if err != nil && ctx.Err() != nil {
		return nil, cli.CutShort("interrupted")
	}
	if err != nil && r.o.NATS != nil { // a server without JetStream, say
		fmt.Fprintf(e.Stderr, "dmebench run: %s is left out: %v\n", o.Algorithm.Name, err)
		return nil, nil
	}
	return result, err
}

// parse fills in the options of the run.
func (r *runFlags) parse() (err error) {
	if r.o.Algorithm, r.o.Load, err = r.system.parse(); err != nil {
		return err
	}
	switch {
	case r.over != "nats" && r.over != "tcp":
		return fmt.Errorf("-over %q: nats or tcp", r.over)
	case r.over == "tcp" && r.nats.URL != "":
		return errors.New("-nats: it goes with -over nats")
	case r.over == "tcp" && r.o.KV:
		return errors.New("-kv: it goes with -over nats")
	case r.over == "tcp" && r.o.Algorithm == &kvlock.Card:
		return fmt.Errorf("-alg %s: it goes with -over nats", r.alg)
	case r.o.Entries < 1 || r.o.Warmup < 0 || r.o.Entries > maxEntries || r.o.Warmup > maxEntries:
		return fmt.Errorf("-entries %d, -warmup %d: at least 1 and 0, at most %d", r.o.Entries, r.o.Warmup, maxEntries)
	case r.o.Load.One() && r.config.Threads > 1:
		return errors.New("-rate one: with one thread a node")
	case r.o.Deadline < time.Second:
		return fmt.Errorf("-deadline %v: at least 1s", r.o.Deadline)
	}
	r.o.System, r.o.Section, r.o.Tick, r.o.Seed, r.o.Fenced, r.o.Double, r.o.Lease, r.o.Store = r.config, r.section, r.tick, r.seed, r.fenced, r.double, r.lease, r.store
	if r.o.TCP = r.over == "tcp"; !r.o.TCP {
		r.o.NATS = named(&r.nats)
	}
	r.o.Program, err = os.Executable()
	return err
}
