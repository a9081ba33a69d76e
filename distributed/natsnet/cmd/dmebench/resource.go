package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/natsnet/wire"
	"shmbench/internal/cli"
)

var resourceVerb = cli.Verb{
	Name:    "resource",
	Summary: "print what the resource holds that the threads of a run wrote to",
	Example: "dmebench resource -resource kv -run $DMEBENCH_RUN -nats nats://localhost:4222\ndmebench resource -resource counter",
	Setup: func(fs *flag.FlagSet) cli.Body {
		r := &resourceFlags{}
		r.flags(fs)
		asJSON := fs.Bool("json", false, "print one JSON document")
		return func(ctx context.Context, e cli.Env, _ []string) error {
			if r.where == "" {
				return errors.New("-resource names the resource: a file, or kv")
			}
			s, err := r.state(ctx)
			if err != nil {
				return err
			}
			if *asJSON {
				err = cli.WriteJSON(e.Stdout, "dmebench", "resource", true, s)
			} else {
				_, err = fmt.Fprintf(e.Stdout, "counter %d: %d writes taken, %d lost, %d accesses refused; the greatest token %v\n", s.Value, s.Taken, s.Lost(), s.Refused, s.High)
			}
			if err == nil && s.Lost() > 0 {
				err = cli.ErrViolated
			}
			return err
		}
	},
}

// resourceFlags name an existing resource.
type resourceFlags struct {
	where, run string
	nats       bus.Server
}

func (r *resourceFlags) flags(fs *flag.FlagSet) {
	fs.StringVar(&r.where, "resource", "", "what the threads wrote to: a `file`, or \"kv\" for an entry of JetStream's key-value store")
	fs.StringVar(&r.run, "run", "", "with -resource kv: the run; default $"+harness.EnvRun)
	serverFlags(fs, &r.nats)
}

// patienceOfReading is how long the server may take to return the state of the
// resource.
const patienceOfReading = 10 * time.Second

// state returns the state of the resource.
func (r *resourceFlags) state(ctx context.Context) (s resource.State, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patienceOfReading, fmt.Errorf("the NATS server did not answer within %v", patienceOfReading))
	defer cancel()
	found, err := r.find(ctx)
	if err != nil {
		return s, fmt.Errorf("-resource %s: %w", r.where, err)
	}
	defer found.Close()
	return found.State(ctx)
}

func (r *resourceFlags) find(ctx context.Context) (*resource.Resource, error) {
	if r.where != harness.KV {
		return resource.FindFile(r.where)
	}
	if r.run == "" {
		r.run = os.Getenv(harness.EnvRun)
	}
	run, err := wire.ParseRun(r.run)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	at := natsServer(&r.nats)
	if at == nil {
		return nil, fmt.Errorf("-nats or $%s names the NATS server that holds it", harness.EnvNATS)
	}
	return resource.FindKV(ctx, at, run.String())
}
