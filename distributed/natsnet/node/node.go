// Package node runs one node of a run in a process of its own: an algorithm's
// node over a transport, the load of its threads, and the history that they
// leave.
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
	"shmbench/distributed/natsnet/kv"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/natsnet/tcp"
	"shmbench/distributed/natsnet/wire"
)

// A Setup is what is the same for all nodes of a run.
type Setup struct {
	Algorithm *distributed.Algorithm
	System    distributed.Config
	Load      Load
	Section   time.Duration // time in the critical section
	Tick      time.Duration // length of a tick of the algorithm's timers
	Lease     time.Duration // of KVLock
	Store     kv.Options    // of KVLock and the resource
	Seed      uint64
	Fenced    bool // the resource refuses old tokens
	Double    bool // a fault: the transport delivers every message twice
}

// Options configure a node.
type Options struct {
	Setup
	ID  distributed.ID
	Run wire.Run

	// Settings are the settings that all nodes must share.
	Settings []wire.Setting

	// NATS is the server to use. If it is nil, the node uses TCP, and Listen is the
	// address of this node. The command Meet names the addresses of all nodes.
	NATS   *bus.Server
	Listen string

	Entries  int64              // the load ends after this number of permissions of all nodes
	Resource *resource.Resource // nil: the threads write to no resource
	History  *history.Writer    // nil: the node writes no history
	Kept     *Kept              // nil: the node keeps nothing over a crash
	Tell     bool               // the node reports each entry and each exit as an event
	Log      func(error)        // gets errors; there may be many
	Say      func(text string)  // gets messages for the user about other nodes
}

// node is a running node.
type node struct {
	o      Options
	ctx    context.Context
	say    func(Event)
	tellMu sync.Mutex

	listener net.Listener
	carrier  link.Carrier
	cut      *link.Cut // around the carrier
	link     *link.Link
	begins   chan bool // it is time to begin; true: the node was in the run before
	member   *live.Member
	leased   *leased // in place of the carrier, the link and the member
	locker   locker  // nil: the node has not begun
	delays   reservoir
	threads  []*thread
	working  sync.WaitGroup
	entries  atomic.Int64
	failed   chan error
}

// Run runs a node that carries out commands and reports events to tell, one at a time.
// It returns when a command or ctx ends the node, or with an error when the node fails.
func Run(ctx context.Context, o Options, commands <-chan Command, tell func(Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := &node{o: o, ctx: ctx, say: tell, begins: make(chan bool, 1), failed: make(chan error, 16), delays: newReservoir(o.Seed)}
	for t := range o.System.Begins(o.ID) {
		n.threads = append(n.threads, newThread(n, distributed.Thread(t)))
	}
	err := n.serve(commands)
	cancel()
	n.working.Wait()
	switch {
	case n.member != nil:
		err = errors.Join(err, n.member.Close())
	case n.link != nil:
		err = errors.Join(err, n.link.Close())
	case n.leased != nil:
		n.leased.conn.Close()
	}
	if n.listener != nil {
		n.listener.Close()
	}
	if err != nil {
		n.tell(Event{Event: Failed, Error: err.Error(), BrokeDown: errors.Is(err, live.ErrBrokeDown)})
	}
	return err
}

// serve carries out commands until the node ends.
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
				n.result()
				return nil
			}
			if err := n.obey(c); err != nil {
				return err
			}
		case again := <-n.begins:
			if err := n.begin(again); err != nil {
				return err
			}
			done = n.member.Done()
		case <-done:
			return n.member.Err()
		case err := <-n.failed:
			return err
		case <-n.ctx.Done():
			n.result()
			return nil
		}
	}
}

// result reports the state of the node at its end.
func (n *node) result() {
	r := n.report()
	r.Delays = n.delays.samples()
	n.tell(Event{Event: Result, Report: r})
}

// obey carries one command out.
func (n *node) obey(c Command) error {
	if c.Do != Meet && c.Do != Look && c.Do != Part && n.locker == nil {
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
		if n.cut == nil {
			return errors.New("it talks to the server only")
		}
		n.cut.Part(c.Apart)
	default:
		return fmt.Errorf("it was told to %q", c.Do)
	}
	return nil
}

// tell reports an event to the parent.
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

// try ends the node if err is not nil.
func (n *node) try(err error) {
	if err != nil && n.ctx.Err() == nil {
		select {
		case n.failed <- err:
		default:
		}
	}
}

// report returns a report on the node.
func (n *node) report() *Report {
	r := &Report{Node: n.o.ID, Waiting: []Waiter{}, Inside: []Waiter{}, Storing: []Waiter{}, Peers: []link.Peer{}, Kinds: map[string]int64{}}
	r.Entries = n.entries.Load()
	for _, t := range n.threads {
		t.stands(r)
	}
	if n.o.Resource != nil {
		r.troubled(n.o.Resource.Trouble())
		r.ServerDown = n.o.Resource.Down()
	}
	if n.leased != nil {
		for _, l := range n.leased.locks {
			r.troubled(l.Trouble())
		}
		r.ServerDown = max(r.ServerDown, n.leased.conn.Down())
	}
	if n.link != nil {
		r.Peers, r.Counts = n.link.Peers(), n.link.Counts()
	}
	switch c := n.carrier.(type) {
	case *bus.Carrier:
		r.Dropped, r.ServerDown = c.Dropped(), max(r.ServerDown, c.Down())
	case *tcp.Carrier:
		r.Strangers = c.Strangers()
	}
	if n.member == nil {
		return r
	}
	r.State = n.member.State()
	r.Kinds = n.member.Sent().ByName()
	return r
}

// troubled notes why the node repeats requests.
func (r *Report) troubled(err error) {
	if err != nil {
		r.Trouble = bus.Plain(err).Error()
	}
}

// count reports how many messages the node has sent and received. For a lease
// these are its messages to and from the server.
func (n *node) count() {
	if n.leased != nil {
		requests := 2 * n.leased.requests.Load() // each is answered
		n.tell(Event{Event: Counted, Sent: requests, Taken: requests})
		return
	}
	taken := n.member.Taken() // before what was sent, so that none is missed
	n.tell(Event{Event: Counted, Sent: n.member.Sent().Total(), Taken: taken})
}
