// Package node is one node of a run in a process of its own: an algorithm's node
// over a transport, the load of its threads, and the history that they leave.
package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/live"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/kvlock"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/natsnet/tcp"
	"shmbench/distributed/natsnet/wire"
)

// Options are what a node has to know.
type Options struct {
	Algorithm *distributed.Algorithm
	System    distributed.Config
	ID        distributed.ID
	Run       wire.Run

	// NATS is the server to talk over. Without one it is TCP: Listen is where this
	// node listens, and Addresses, if they are known from the start, where all do.
	NATS      *bus.Server
	Listen    string
	Addresses []string

	Load    Load
	Section time.Duration
	Entries int64         // the load is over when so many permissions were given in all
	Tick    time.Duration // of the algorithm's timers
	Lease   time.Duration // of kvlock.Card
	Seed    uint64

	Resource resource.Resource // nil: the threads write to nothing
	History  *history.Writer   // nil: none is kept
	Tell     bool              // each entry and its end is an event
	Double   bool              // the transport delivers every message twice: a fault
	Log      func(error)
}

// node is one node that runs.
type node struct {
	o      Options
	ctx    context.Context
	say    func(Event)
	tellMu sync.Mutex

	listener net.Listener
	carrier  carrier
	link     *link.Link
	member   *live.Member
	leased   *leased // instead of the three before
	locker   locker  // nil: it has not met the others
	delays   reservoir
	threads  []*thread
	working  sync.WaitGroup
	entries  atomic.Int64
	failed   chan error
}

// carrier is what both package tcp and package bus have.
type carrier interface {
	link.Carrier
	Part(apart []bool) error
}

// Run runs a node that listens to commands and tells of events, one at a time,
// until it is told to end, ctx ends or it fails.
func Run(ctx context.Context, o Options, commands <-chan Command, tell func(Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := &node{o: o, ctx: ctx, say: tell, failed: make(chan error, 16), delays: newReservoir(o.Seed)}
	for t := range o.System.Begins(o.ID) {
		n.threads = append(n.threads, newThread(n, distributed.Thread(t)))
	}
	err := n.serve(commands)
	cancel()
	n.working.Wait()
	if n.member != nil {
		err = errors.Join(err, n.member.Close())
	}
	if n.leased != nil {
		n.leased.conn.Close()
	}
	if err != nil {
		n.tell(Event{Event: Failed, Error: err.Error()})
	}
	return err
}

// serve does what it is told.
func (n *node) serve(commands <-chan Command) error {
	if n.o.NATS == nil {
		var err error
		if n.listener, err = net.Listen("tcp", n.o.Listen); err != nil {
			return err
		}
		n.tell(Event{Event: Ready, PID: os.Getpid(), Address: n.listener.Addr().String()})
	} else {
		n.tell(Event{Event: Ready, PID: os.Getpid()})
	}
	var done <-chan struct{}
	for {
		select {
		case c := <-commands:
			if c.Do == Finish {
				r := n.report()
				r.Delays = n.delays.samples()
				n.tell(Event{Event: Result, Report: r})
				return nil
			}
			if err := n.obey(c); err != nil {
				return err
			}
			if n.member != nil {
				done = n.member.Done()
			}
		case <-done:
			return n.member.Err()
		case err := <-n.failed:
			return err
		case <-n.ctx.Done():
			return nil
		}
	}
}

// obey carries one command out.
func (n *node) obey(c Command) error {
	if c.Do != Meet && n.locker == nil {
		return fmt.Errorf("it was told to %s before it met the others", c.Do)
	}
	switch c.Do {
	case Meet:
		return n.meet(c.Addresses)
	case Begin:
		n.load()
	case Ask, Leave:
		if c.Thread < 0 || int(c.Thread) >= len(n.threads) {
			return fmt.Errorf("it has no thread %d", c.Thread)
		}
		if c.Do == Leave {
			n.threads[c.Thread].leave <- struct{}{}
			return nil
		}
		n.working.Go(func() { n.try(n.threads[c.Thread].once(n.threads[c.Thread].untilTold)) })
	case Count:
		n.count()
	case Look:
		n.tell(Event{Event: Seen, Report: n.report()})
	case Part:
		if len(c.Apart) != n.o.System.Nodes {
			return errors.New("a cut names each node")
		}
		if n.carrier == nil {
			return errors.New("it talks to nobody but the server")
		}
		return n.carrier.Part(c.Apart)
	default:
		return fmt.Errorf("it was told to %q", c.Do)
	}
	return nil
}

// meet begins to talk to the others.
func (n *node) meet(addresses []string) error {
	switch {
	case n.locker != nil:
		return errors.New("it has met the others")
	case n.o.Algorithm.Name == kvlock.Card.Name && n.o.NATS == nil:
		return errors.New("a lock on JetStream wants a NATS server")
	case n.o.Algorithm.Name == kvlock.Card.Name:
		return n.lease()
	}
	if n.o.NATS != nil {
		conn, err := n.o.NATS.Connect(fmt.Sprintf("dmebench node %d", n.o.ID), n.log)
		if err != nil {
			return err
		}
		n.carrier = bus.New(conn, n.o.Run, n.o.ID, n.o.System.Nodes)
	} else {
		if len(addresses) != n.o.System.Nodes {
			return fmt.Errorf("%d addresses for %d nodes", len(addresses), n.o.System.Nodes)
		}
		n.carrier = tcp.New(n.o.ID, n.listener, addresses, n.log)
	}
	n.link = link.New(n.carrier, link.Options{
		Run: n.o.Run, Me: n.o.ID, Nodes: n.o.System.Nodes, Threads: n.o.System.Threads, Forget: n.o.Algorithm.Claims.Crash, Drop: n.log,
	})
	var t distributed.Transport = n.link
	if n.o.Double {
		t = double{t}
	}
	var err error
	n.member, err = live.Join(n.o.Algorithm, n.o.System, n.o.ID, t, live.Options{Tick: n.o.Tick, Clock: history.Now, Delay: n.delays.add})
	if err != nil {
		return err
	}
	n.locker = n.member
	n.working.Go(n.meeting)
	return nil
}

// meeting waits until all others have been heard.
func (n *node) meeting() {
	for {
		met := true
		for _, p := range n.link.Peers() {
			met = met && p.Met
		}
		if met {
			n.tell(Event{Event: Met})
			return
		}
		select {
		case <-n.ctx.Done():
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// tell tells the parent.
func (n *node) tell(e Event) {
	n.tellMu.Lock()
	defer n.tellMu.Unlock()
	n.say(e)
}

func (n *node) log(err error) {
	if n.o.Log != nil {
		n.o.Log(err)
	}
}

// try ends the node if err is one.
func (n *node) try(err error) {
	if err != nil && n.ctx.Err() == nil {
		select {
		case n.failed <- err:
		default:
		}
	}
}

// report returns how the node stands.
func (n *node) report() *Report {
	r := &Report{Node: n.o.ID, Waiting: []Waiter{}, Inside: []Waiter{}, Kinds: map[string]int64{}}
	r.Entries = n.entries.Load()
	for _, t := range n.threads {
		t.stands(r)
	}
	if n.member == nil {
		return r
	}
	r.State, r.Peers, r.Counts = n.member.State(), n.link.Peers(), n.link.Counts()
	if b, is := n.carrier.(*bus.Carrier); is {
		r.Dropped = b.Dropped()
	}
	for k, sent := range n.member.Sent() {
		if sent > 0 {
			r.Kinds[distributed.Kind(k).String()] = sent
		}
	}
	return r
}

// count tells how many messages the node has sent, and taken: to and from the
// server, if it is a lease.
func (n *node) count() {
	if n.leased != nil {
		requests := 2 * n.leased.requests.Load() // each is answered
		n.tell(Event{Event: Counted, Sent: requests, Taken: requests})
		return
	}
	taken := n.member.Taken() // before what was sent, so that none is missed
	n.tell(Event{Event: Counted, Sent: total(n.member.Sent()), Taken: taken})
}

func total(kinds [distributed.Kinds]int64) (sum int64) {
	for _, k := range kinds {
		sum += k
	}
	return sum
}
