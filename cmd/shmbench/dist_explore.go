package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"shmbench/dist"
	"shmbench/dist/catalog"
	"shmbench/dist/explore"
)

var distExplore = verb{
	name:    "dist explore",
	summary: "try every order of messages on a small message-passing system",
	example: "shmbench dist explore -alg alien-v1 -nodes 3 -threads 1 -requests 2\n" +
		"shmbench dist explore -alg raymond -nodes 3 -requests 0\n" +
		"shmbench dist explore -alg central -nodes 3 -crash 1 -mermaid",
	setup: func(fs *flag.FlagSet) body {
		var x exploration
		fs.StringVar(&x.alg, "alg", "", "the `algorithm`; -list shows the names")
		fs.BoolVar(&x.list, "list", false, "list the algorithms and end")
		fs.IntVar(&x.config.Nodes, "nodes", 3, "how many nodes")
		fs.IntVar(&x.config.Threads, "threads", 1, "threads a node")
		fs.IntVar(&x.model.Requests, "requests", 1, "requests a thread; 0: again and again for ever")
		fs.StringVar(&x.tree, "tree", "binary", "initial tree of the algorithms that have one: binary, path or star")
		fs.StringVar(&x.order, "order", "claim", "order of a pair's messages: fifo, any, or what the algorithm's claims suppose (claim)")
		fs.BoolVar(&x.model.Timely, "timely", false, "timers expire only when no message is under way")
		fs.IntVar(&x.model.Faults.Lose, "lose", 0, "how many messages may be lost")
		fs.IntVar(&x.model.Faults.Duplicate, "duplicate", 0, "how many messages may arrive twice")
		fs.IntVar(&x.model.Faults.Crash, "crash", 0, "how many nodes may crash")
		fs.IntVar(&x.model.Faults.Recover, "recover", 0, "how many crashed nodes may restart")
		fs.IntVar(&x.model.Faults.Partition, "partition", 0, "how many partitions may happen, and heal or not")
		fs.IntVar(&x.model.MaxStates, "max-states", explore.DefaultMaxStates, "give up beyond this many states")
		fs.BoolVar(&x.mermaid, "mermaid", false, "print traces as Mermaid sequence diagrams")
		fs.BoolVar(&x.json, "json", false, "print the result as JSON")
		return x.run
	},
}

// exploration is one use of the verb.
type exploration struct {
	alg, tree, order    string
	list, mermaid, json bool
	config              dist.Config
	model               explore.Model
}

func (x *exploration) run(ctx context.Context, e env, _ []string) error {
	if x.list {
		for _, a := range catalog.All {
			fmt.Fprintf(e.stdout, "%-18s %s\n", a.Name, a.Title)
		}
		return nil
	}
	if x.alg == "" {
		return errors.New("no algorithm: give -alg, or -list to see the names")
	}
	a, err := catalog.Find(x.alg)
	if err != nil {
		return err
	}
	if err := x.build(a); err != nil {
		return err
	}
	r, err := explore.Explore(ctx, x.model)
	if err != nil {
		return err
	}
	if err := x.report(e.stdout, r); err != nil {
		return err
	}
	switch {
	case len(r.Violations) > 0:
		return errViolated
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted after %d states: nothing is decided", r.States)
	case !r.Complete:
		return fmt.Errorf("gave up after %d states, depth %d: no violation of safety so far, nothing else is decided; raise -max-states or ask for less", r.States, r.Depth)
	}
	return nil
}

// build makes the model's nodes.
func (x *exploration) build(a *dist.Algorithm) error {
	switch x.order {
	case "claim":
		x.model.FIFO = a.Claims.FIFO
	case "fifo":
		x.model.FIFO = true
	case "any":
		x.model.FIFO = false
	default:
		return fmt.Errorf("-order %q: it is fifo, any or claim", x.order)
	}
	x.model.Timely = x.timely || a.Claims.Timely && x.order == "claim"
	if x.model.MaxStates < 1 {
		return fmt.Errorf("-max-states %d: at least 1", x.model.MaxStates)
	}
	if err := x.config.Check(); err != nil {
		return err
	}
	switch x.tree {
	case "binary":
	case "path":
		x.config.Parent = dist.Path(x.config.Nodes)
	case "star":
		x.config.Parent = make([]dist.ID, x.config.Nodes)
	default:
		return fmt.Errorf("-tree %q: it is binary, path or star", x.tree)
	}
	nodes, err := a.New(x.config)
	if err != nil {
		return err
	}
	x.model.Nodes, x.model.Threads = explore.Nodes(nodes), x.config.Threads
	return nil
}

func (x *exploration) report(w io.Writer, r *explore.Result) error {
	if x.json {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Algorithm string         `json:"algorithm"`
			Nodes     int            `json:"nodes"`
			Threads   int            `json:"threads"`
			Requests  int            `json:"requests"`
			FIFO      bool           `json:"fifo"`
			Timely    bool           `json:"timely"`
			Faults    explore.Faults `json:"faults"`
			*explore.Result
		}{x.alg, x.config.Nodes, x.config.Threads, x.model.Requests, x.model.FIFO, x.model.Timely, x.model.Faults, r})
	}
	for i := range r.Violations {
		write := r.Violations[i].WriteText
		if x.mermaid {
			write = func(w io.Writer) error { return r.Violations[i].WriteMermaid(w, x.config.Nodes) }
		}
		if err := write(w); err != nil {
			return err
		}
	}
	if x.mermaid && len(r.Violations) > 0 {
		return nil
	}
	verdict := "holds"
	switch {
	case len(r.Violations) > 0:
		verdict = "violated"
	case !r.Complete:
		verdict = "undecided"
	}
	_, err := fmt.Fprintf(w, "%s: %s; %d states, %d steps, depth %d\n", x.alg, verdict, r.States, r.Steps, r.Depth)
	return err
}
