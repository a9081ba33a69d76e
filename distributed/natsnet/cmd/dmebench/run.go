package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/node"
	"shmbench/internal/cli"
)

var runVerb = cli.Verb{
	Name:    "run",
	Summary: "run all nodes as processes of this machine, beside the results of the simulator",
	Example: "dmebench run -alg raymond -nodes 5\n" +
		"dmebench run -alg ricart-agrawala -nodes 4 -rate one -over tcp\n" +
		"dmebench run -alg central -nodes 3 -rate 50 -nats nats://localhost:4222",
	Setup: func(fs *flag.FlagSet) cli.Body {
		r := &runFlags{}
		r.flags(fs)
		r.nodesFlag(fs, "nodes", 5)
		overFlag(fs, &r.over)
		fs.IntVar(&r.o.Entries, "entries", 1000, "entries measured")
		fs.IntVar(&r.o.Warmup, "warmup", 100, "entries before measuring")
		cli.Between(fs, "entries", 1, maxEntries, "the number of entries")
		cli.Between(fs, "warmup", 0, maxEntries, "the number of entries")
		fs.DurationVar(&r.o.Deadline, "deadline", 10*time.Second, "end when a thread has waited for so long and none has entered, and print which nodes wait for which")
		cli.AtLeast(fs, "deadline", time.Second, "the deadline")
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

// maxEntries limits the entries. No figure needs more, and the program can keep that
// many.
const maxEntries = 1_000_000

func (r *runFlags) run(ctx context.Context, e cli.Env) error {
	if err := r.parse(); err != nil {
		return err
	}
	result, err := harness.Do(ctx, r.o)
	if err != nil {
		return r.early(ctx, e, result, err)
	}
	lease, err := r.leased(ctx, e)
	cut := ctx.Err() != nil
	if err != nil && !cut {
		return err
	}
	if err := r.write(e.Stdout, result, lease, !cut); err != nil {
		return err
	}
	if cut {
		return cli.CutShort("interrupted: %s was not measured", node.KVLock.Name)
	}
	return judged(result.History)
}

// early ends a run that ended early because of err. The result, if not nil, covers the
// run so far.
func (r *runFlags) early(ctx context.Context, e cli.Env, result *harness.Result, err error) error {
	interrupted := ctx.Err() != nil
	if result == nil {
		if interrupted {
			return cli.CutShort("interrupted")
		}
		return err
	}
	if err := r.write(e.Stdout, result, nil, false); err != nil {
		return err
	}
	var stall *harness.Stall
	var broken *harness.BrokenDown
	switch {
	case interrupted && result.History.Holds:
		return cli.CutShort("interrupted after %d entries", result.History.Entries)
	case interrupted:
		return cli.ErrViolated
	case errors.As(err, &stall), errors.As(err, &broken), !result.History.Holds:
		fmt.Fprintln(e.Stderr, "dmebench run:", cli.Printable(err.Error()))
		return cli.ErrViolated
	}
	return err
}

// write writes a result in the selected format. complete says that the result is
// complete.
func (r *runFlags) write(w io.Writer, result, lease *harness.Result, complete bool) error {
	if !r.json {
		return r.print(w, result, lease)
	}
	return cli.WriteJSON(w, "dmebench", "run", complete, struct {
		*harness.Result
		Lease *harness.Result `json:"lease"` // null: it was not measured
	}{result, lease})
}

// leased measures the lock on JetStream's key-value store under the same load. It
// returns nil if the user has not asked for it.
func (r *runFlags) leased(ctx context.Context, e cli.Env) (*harness.Result, error) {
	if !r.beside || r.o.TCP || r.o.Algorithm == &node.KVLock {
		return nil, nil
	}
	o := r.o
	o.Algorithm, o.System.Server, o.System.Lease, o.Double = &node.KVLock, false, 0, false
	result, err := harness.Do(ctx, o)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && r.o.NATS != nil { // a server without JetStream, say
		fmt.Fprintf(e.Stderr, "dmebench run: %s is left out: %v\n", o.Algorithm.Name, err)
		return nil, nil
	}
	return result, err
}

// parse fills in the options of the run.
func (r *runFlags) parse() (err error) {
	if err = r.system.parse(); err != nil {
		return err
	}
	r.o.Setup = r.Setup
	switch {
	case r.over == "tcp" && r.nats.URL != "":
		return errors.New("-nats: it needs -over nats")
	case r.over == "tcp" && r.o.KV:
		return errors.New("-kv: it needs -over nats")
	case r.over == "tcp" && r.o.Algorithm == &node.KVLock:
		return fmt.Errorf("-alg %s: it needs -over nats", r.alg)
	case r.o.Load.One() && r.System.Threads > 1:
		return errors.New("-rate one: with one thread a node")
	}
	if r.o.TCP = r.over == "tcp"; !r.o.TCP {
		r.o.NATS = natsServer(&r.nats)
	}
	r.o.Program, err = os.Executable()
	return err
}
