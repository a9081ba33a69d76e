// Package harness runs all nodes of a run as processes of this machine, drives their
// load, and reports the results beside those of the simulator.
package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/natsnet/server"
	"shmbench/distributed/natsnet/wire"
	"shmbench/internal/build/scratch"
)

// Options configure a run.
type Options struct {
	node.Setup        // its Lease may be 0: the default of the harness
	Program    string // path of the program "dmebench"; each node runs its verb node

	TCP  bool        // use TCP; otherwise NATS
	NATS *bus.Server // the server to use; nil: a server of the run's own

	Warmup, Entries int
	KV              bool // the resource is an entry of JetStream's key-value store, not a file

	// Deadline is how long a process may wait while no process enters. After this time the
	// run ends with an error that says for which node each node waits.
	Deadline time.Duration

	// Hold is the longest duration of a pause or a partition of PlayFault; 0 means
	// the deadline.
	Hold time.Duration
}

// EnvRun and EnvNATS are the environment variables that pass secrets to a node. A
// command line would show them to every user of the machine.
const (
	EnvRun  = "DMEBENCH_RUN"
	EnvNATS = "DMEBENCH_NATS"
)

// usualLease is the lease of node.KVLock if Options do not set one.
const usualLease = 2 * time.Second

// A Run is a run under way.
type Run struct {
	o        Options
	run      wire.Run
	ctx      context.Context
	cancel   context.CancelFunc
	dir      string
	remove   func() // removes the folder
	sweeper  *sweeper
	server   *server.Server
	how      []string // arguments and environment of each node
	env      []string
	nursery  *nursery
	children []*child
	events   chan said
	resource *resource.Resource

	done    []bool
	reports []*node.Report // the latest report of each node
	inside  *said          // the latest event that a thread has entered
}

// starting is how long processes may take to start and to meet each other.
const starting = time.Minute

// Begin starts the nodes and waits until they have met. It returns an error if a
// node fails.
func Begin(ctx context.Context, o Options) (r *Run, err error) {
	r = &Run{o: o, run: wire.NewRun(), nursery: newNursery(), events: make(chan said, 1024), done: make([]bool, o.System.Nodes), reports: make([]*node.Report, o.System.Nodes)}
	r.ctx, r.cancel = context.WithCancel(ctx)
	defer func() {
		if err != nil {
			r.Close()
			r = nil
		}
	}()
	if r.dir, r.remove, err = scratch.Folder("", prefix); err != nil {
		return r, err
	}
	if r.sweeper, err = startSweeper(o.Program, r.dir); err != nil {
		return r, err
	}
	r.env = []string{EnvRun + "=" + r.run.String()}
	switch {
	case o.TCP:
	case o.NATS != nil:
		r.env = append(r.env, EnvNATS+"="+o.NATS.URL)
		for flag, file := range map[string]string{"-creds": o.NATS.Credentials, "-tls-ca": o.NATS.CA, "-tls-cert": o.NATS.Cert, "-tls-key": o.NATS.Key} {
			if file != "" {
				r.how = append(r.how, flag, file)
			}
		}
	default:
		if r.server, err = server.Start(r.path("jetstream")); err != nil {
			return r, err
		}
		r.env = append(r.env, EnvNATS+"="+r.server.URL())
	}
	if err = r.open(); err != nil {
		return r, err
	}
	for i := range distributed.ID(o.System.Nodes) {
		c, err := r.spawn(i, "127.0.0.1:0")
		if err != nil {
			return r, err
		}
		r.children = append(r.children, c)
	}
	return r, r.meet()
}

// spawn starts a process of node i, which listens at the given address over TCP.
func (r *Run) spawn(i distributed.ID, listen string) (*child, error) {
	args := append(r.args(i), r.how...)
	if r.o.TCP {
		args = append(args, "-listen", listen)
	}
	return r.nursery.spawn(r.ctx, i, r.o.Program, args, r.env, r.events)
}

// KV is the name of the resource that is an entry of JetStream's key-value store.
const KV = "kv"

// open opens the resource of the run.
func (r *Run) open() (err error) {
	if !r.o.KV {
		r.resource, err = resource.OpenFile(r.path("resource"), r.o.Fenced)
		return err
	}
	at := r.o.NATS
	if r.server != nil {
		at = &bus.Server{URL: r.server.URL()}
	}
	if at == nil {
		return errors.New("a resource in a key-value store wants a NATS server")
	}
	r.resource, err = resource.OpenKV(r.ctx, at, func(error) {}, r.run.String(), r.o.Fenced, r.o.Store)
	return err
}

// args returns the command line of node i.
func (r *Run) args(i distributed.ID) []string {
	o, resource := &r.o, r.path("resource")
	if o.KV {
		resource = KV
	}
	args := []string{
		"node", "-child", "-alg", o.Algorithm.Name, "-id", fmt.Sprint(i), "-of", fmt.Sprint(o.System.Nodes), "-threads", fmt.Sprint(o.System.Threads),
		"-server=" + fmt.Sprint(o.System.Server), "-rate", o.Load.String(), "-cs", o.Section.String(), "-entries", fmt.Sprint(o.Warmup + o.Entries),
		"-tick", o.Tick.String(), "-seed", fmt.Sprint(o.Seed), "-fenced=" + fmt.Sprint(o.Fenced), "-duplicate=" + fmt.Sprint(o.Double),
		"-kv-lease", cmp.Or(o.Lease, usualLease).String(), "-lease", fmt.Sprint(o.System.Lease), "-replicas", fmt.Sprint(max(1, o.Store.Replicas)),
		"-resource", resource, "-history", r.path(fmt.Sprint("history", i)),
	}
	if o.Store.Memory {
		args = append(args, "-storage", "memory")
	}
	if node.Keeps(o.Algorithm, o.System) {
		args = append(args, "-state", r.path(fmt.Sprint("state", i)))
	}
	return args
}

// PID returns the process ID of node i.
func (r *Run) PID(i distributed.ID) int { return r.children[i].cmd.Process.Pid }

func (r *Run) path(name string) string { return filepath.Join(r.dir, name) }

// meet waits until the nodes have met.
func (r *Run) meet() error {
	if err := r.all(node.Ready, func(said) {}); err != nil {
		return err
	}
	r.tellAll(node.Command{Do: node.Meet, Addresses: r.addresses()})
	return r.all(node.Met, func(said) {})
}

// addresses returns where the nodes listen, over TCP.
func (r *Run) addresses() (all []string) {
	for _, c := range r.children {
		all = append(all, c.address)
	}
	return all
}

func (r *Run) tellAll(c node.Command) {
	for _, child := range r.children {
		child.tell(c)
	}
}

// all waits until every node has reported event.
func (r *Run) all(event string, heard func(said)) error {
	late := time.After(starting)
	missing := 0
	for _, c := range r.children {
		if !c.killed {
			missing++
		}
	}
	for missing > 0 {
		select {
		case s := <-r.events:
			if err := r.hear(s); err != nil {
				return err
			}
			if s.Event.Event == event {
				heard(s)
				missing--
			}
		case <-late:
			return fmt.Errorf("after %v %d of %d nodes are not %s", starting, missing, len(r.children), event)
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}
	return nil
}

// hear notes the event of a node. It returns an error if the node cannot
// continue.
func (r *Run) hear(s said) error {
	switch s.Event.Event {
	case node.Ready:
		s.from.ready, s.from.address = true, s.Address
	case node.Met:
		s.from.met = true
	case node.Done:
		r.done[s.from.id] = true
	case node.Entered:
		s.from.entered++
		r.inside = &s
	case node.Left:
		s.from.left++
	case node.Seen:
		r.reports[s.from.id] = s.Report
	case node.Result:
		r.reports[s.from.id], s.from.finished = s.Report, true
	case node.Failed:
		s.from.why = s.Error
		if s.BrokeDown {
			return &BrokenDown{s.Error}
		}
		return fmt.Errorf("node %d: %s", s.from.id, s.Error)
	case ended:
		if s.from.finished || s.from.killed {
			return nil
		}
		if text := s.from.stderr.String(); text != "" {
			return fmt.Errorf("node %d: %s: %s", s.from.id, s.from.gone(), text)
		}
		return fmt.Errorf("node %d: %s", s.from.id, s.from.gone())
	}
	return nil
}

// Close ends all processes and servers that the run has started, and removes its
// folder.
func (r *Run) Close() error {
	r.cancel()
	over := make(chan struct{})
	go func() { // the sender of a report does not wait
		for {
			select {
			case <-r.events:
			case <-over:
				return
			}
		}
	}()
	for _, c := range r.children {
		c.end()
	}
	close(over)
	r.nursery.close()
	var err error
	if r.resource != nil {
		err = r.resource.Close()
	}
	if r.server != nil {
		r.server.Stop()
	}
	if r.sweeper != nil {
		err = errors.Join(err, r.sweeper.sweep())
	}
	if r.remove != nil {
		r.remove()
	}
	return err
}

// Histories returns the histories that the nodes have left so far.
func (r *Run) Histories() (all []*history.History, err error) {
	for i := range r.children {
		h, err := history.ReadFile(r.path(fmt.Sprint("history", i)))
		if err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, nil
}
