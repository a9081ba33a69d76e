package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/natsnet/wire"
	"shmbench/internal/cli"
	"shmbench/internal/run/isolate"
)

var nodeVerb = cli.Verb{
	Name:    "node",
	Summary: "run one node, whose others run elsewhere",
	Example: "dmebench node -id 0 -of 3 -alg raymond -run 0123456789abcdef0123456789abcdef -nats tls://nats.example:4222 -creds user.creds\n" +
		"dmebench node -id 2 -of 3 -alg raymond -run 0123456789abcdef0123456789abcdef -listen :7000 -peers a:7000,b:7000,c:7000",
	Setup: func(fs *flag.FlagSet) cli.Body {
		n := &nodeFlags{}
		n.flags(fs)
		id := fs.Int("id", 0, "this node, from 0")
		n.nodesFlag(fs, "of", 3)
		fs.StringVar(&n.run, "run", "", "the run: 32 hexadecimal digits, the same for all nodes and not known to others; default $"+harness.EnvRun)
		fs.StringVar(&n.listen, "listen", "", "without NATS: `address` to listen at, such as :7000")
		fs.StringVar(&n.peers, "peers", "", "without NATS: the `addresses` of all nodes in order, separated by commas")
		fs.IntVar(&n.entries, "entries", 1000, "the load is over when so many permissions were given in all")
		cli.AtLeast(fs, "entries", 1, "the number of permissions")
		fs.StringVar(&n.resource, "resource", "", "`file` that the threads write to, or \"kv\" for an entry of JetStream's key-value store; default none")
		fs.StringVar(&n.history, "history", "", "`file` for the history of this node's entries, which follows what is there of the same run; default none")
		fs.StringVar(&n.state, "state", "", "`file` in which the node keeps what it needs to come back after a crash, of an algorithm that keeps something")
		fs.DurationVar(&n.patience, "patience", time.Minute, "end with exit status 3 after so long without progress; 0: wait forever")
		cli.AtLeast(fs, "patience", time.Duration(0), "the time")
		fs.BoolVar(&n.child, "child", false, "listen to the parent on standard input, as \"dmebench run\" has it")
		return func(ctx context.Context, e cli.Env, _ []string) error {
			n.id = distributed.ID(*id)
			return n.start(ctx, e)
		}
	},
}

// nodeFlags is one use of the verb.
type nodeFlags struct {
	system
	id                                    distributed.ID
	entries                               int
	run, listen, peers, resource, history string
	state                                 string
	patience                              time.Duration
	child                                 bool
}

func (n *nodeFlags) start(ctx context.Context, e cli.Env) error {
	o, closing, err := n.options(e)
	if err != nil {
		return err
	}
	defer closing()
	if !n.child {
		return n.alone(ctx, e, o)
	}
	commands := make(chan node.Command)
	ctx = isolate.Listen(ctx, func() { os.Exit(cli.Undecided) }, func(r io.Reader) {
		for d := json.NewDecoder(bufio.NewReader(r)); ; {
			var c node.Command
			if d.Decode(&c) != nil {
				return
			}
			select {
			case commands <- c:
			case <-ctx.Done():
				return
			}
		}
	})
	out := json.NewEncoder(e.Stdout)
	return node.Run(ctx, o, commands, func(event node.Event) { out.Encode(event) }) // a parent that is gone ends this process otherwise
}

// options returns the node's options from the flags.
func (n *nodeFlags) options(e cli.Env) (o node.Options, closing func(), err error) {
	closing = func() {}
	if err = n.parse(); err != nil {
		return o, closing, err
	}
	if n.run == "" {
		n.run = os.Getenv(harness.EnvRun)
	}
	o = node.Options{
		Setup: n.Setup, ID: n.id, NATS: natsServer(&n.nats), Listen: n.listen, Entries: int64(n.entries), Tell: n.Load.One(), Settings: n.settings(),
	}
	o.Log = limited(n.printer(e))
	say := limited(n.printer(e))
	o.Say = func(text string) { say(errors.New(text)) }
	switch o.Run, err = wire.ParseRun(n.run); {
	case err != nil:
		return o, closing, fmt.Errorf("-run: %w", err)
	case n.id < 0 || int(n.id) >= n.System.Nodes:
		return o, closing, fmt.Errorf("-id %d: the node must be between 0 and %d", n.id, n.System.Nodes-1)
	case o.NATS == nil && n.listen == "":
		return o, closing, errors.New("a node talks over a server, which -nats names, or -listen says where it listens")
	case n.state != "" && !node.Keeps(n.Algorithm, n.System):
		return o, closing, fmt.Errorf("-state %s: the nodes of %s keep nothing over a crash", n.state, n.Algorithm.Name)
	case o.NATS != nil && (n.listen != "" || n.peers != ""):
		return o, closing, errors.New("-listen and -peers: they go without -nats")
	case o.NATS == nil && !n.child && len(n.peerList()) != n.System.Nodes:
		return o, closing, fmt.Errorf("-peers %s: it lists %d addresses, and there are %d nodes (-of)", n.peers, len(n.peerList()), n.System.Nodes)
	}
	closing, err = n.files(&o)
	return o, closing, err
}

// files opens the resource and the history.
func (n *nodeFlags) files(o *node.Options) (closing func(), err error) {
	var open []func()
	closing = func() {
		for _, c := range slices.Backward(open) {
			c()
		}
	}
	defer func() {
		if err != nil {
			closing()
		}
	}()
	switch n.resource {
	case "":
	case harness.KV:
		if o.NATS == nil {
			return closing, errors.New("-resource kv: it is on a NATS server")
		}
		ctx, cancel := context.WithTimeout(context.Background(), patienceOfReading)
		defer cancel()
		o.Resource, err = resource.OpenKV(ctx, o.NATS, o.Log, o.Run.String(), n.Fenced, n.Store)
	default:
		o.Resource, err = resource.OpenFile(n.resource, n.Fenced)
	}
	if err != nil {
		return closing, err
	}
	if o.Resource != nil {
		open = append(open, func() { o.Resource.Close() })
	}
	if n.state != "" {
		if o.Kept, err = node.OpenKept(n.state, o.Run.Fingerprint(), o.Algorithm.Name, n.id); err != nil {
			return closing, fmt.Errorf("-state: %w", err)
		}
	}
	if n.history == "" {
		return closing, nil
	}
	f, err := history.Create(n.history, history.Process{
		Run: o.Run.Fingerprint(), Algorithm: o.Algorithm.Name, Node: n.id, Nodes: n.System.Nodes, PID: os.Getpid(), Clock: history.Clock(),
	})
	if err != nil {
		return closing, fmt.Errorf("-history: %w", err)
	}
	o.History, open = f.Writer, append(open, func() { f.Close() })
	return closing, nil
}

// settings returns the settings that all nodes of the run must share.
func (n *nodeFlags) settings() []wire.Setting {
	a := n.Algorithm
	all := []wire.Setting{
		{Name: "-alg", Value: a.Name}, {Name: "-of", Value: fmt.Sprint(n.System.Nodes)}, {Name: "-threads", Value: fmt.Sprint(n.System.Threads)},
		{Name: "-server", Value: fmt.Sprint(n.System.Server)}, {Name: "-entries", Value: fmt.Sprint(n.entries)}, {Name: "-fenced", Value: fmt.Sprint(n.Fenced)},
	}
	if a.Claims.Timely || a.Claims.Timers {
		all = append(all, wire.Setting{Name: "-tick", Value: n.Tick.String()})
	}
	if a.Lease {
		all = append(all, wire.Setting{Name: "-lease", Value: fmt.Sprint(n.System.LeaseTicks())})
	}
	return all
}

// printer returns a function that prints the node's messages.
func (n *nodeFlags) printer(e cli.Env) func(text string) {
	return func(text string) { fmt.Fprintf(e.Stderr, "dmebench node %d: %s\n", n.id, cli.Printable(text)) }
}

// peerList returns the addresses that -peers lists.
func (n *nodeFlags) peerList() []string {
	if n.peers == "" {
		return nil
	}
	return strings.Split(n.peers, ",")
}

// most is the maximum number of logged lines, because a network can cause any
// number of errors.
const most = 100

// limited returns a log that prints at most that many lines.
func limited(say func(text string)) func(error) {
	lines := make(chan string, 16)
	go func() {
		said := 0
		for text := range lines {
			switch said++; {
			case said < most:
				say(text)
			case said == most:
				say("no more of this is shown; the counts follow in the end")
			}
		}
	}()
	return func(err error) {
		select {
		case lines <- err.Error():
		default: // counted by the node that says it
		}
	}
}
