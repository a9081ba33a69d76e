package node

import (
	"errors"
	"fmt"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/live"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/tcp"
)

// absent is how long a restarted node waits for nodes that it has not met. After
// that it takes them for crashed.
const absent = 10 * link.Silence

// meet starts to talk to the other nodes.
func (n *node) meet(addresses []string) error {
	switch {
	case n.link != nil || n.leased != nil:
		return errors.New("it has met the others")
	case n.o.Algorithm.Name == KVLock.Name && n.o.NATS == nil:
		return errors.New("a lock on JetStream wants a NATS server")
	case n.o.Algorithm.Name == KVLock.Name:
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
		n.carrier = tcp.New(n.o.Run, n.o.ID, n.listener, addresses, n.log)
	}
	n.cut = &link.Cut{Carrier: n.carrier}
	n.link = link.New(n.cut, link.Options{
		Run: n.o.Run, Me: n.o.ID, Nodes: n.o.System.Nodes, Threads: n.o.System.Threads, Settings: n.o.Settings,
		Check:   func(m distributed.Message) error { return n.o.Algorithm.Forms.Check(m, n.o.System.Nodes) },
		Rejoins: n.rejoins, Forget: n.o.Algorithm.Claims.Crash, Drop: n.log, Say: n.o.Say,
	})
	if err := n.link.Meet(); err != nil {
		return err
	}
	n.working.Go(n.meeting)
	return nil
}

// rejoins reports whether node i may come back after a crash. A register that the
// algorithm supposes not to crash may not come back.
func (n *node) rejoins(i distributed.ID) bool {
	a := n.o.Algorithm
	return a.Claims.Restart && n.o.System.Nodes >= a.Claims.CrashFrom && !(a.Apart && i == 0)
}

// meeting waits until it is time to begin.
func (n *node) meeting() {
	var late <-chan time.Time
	again := n.link.Again()
	for {
		select {
		case <-n.link.Met():
			n.begins <- late != nil
			return
		case <-again:
			again, late = nil, time.After(absent)
			continue
		case <-late:
			n.begins <- true
			return
		case err := <-n.link.Failed():
			n.try(err)
			return
		case <-n.ctx.Done():
			return
		}
	}
}

// begin starts the algorithm, or recovers it.
func (n *node) begin(again bool) error {
	select {
	case <-n.link.Again(): // both at once
		again = true
	default:
	}
	o := live.Options{Tick: n.o.Tick, Clock: history.Now, Delay: n.delays.add, Recover: again}
	if k := n.o.Kept; k != nil {
		o.Keep, o.Kept = k.save, k.was
		o.Recover = again || k.was != nil
	}
	if keeps, err := keeps(n.o.Algorithm, n.o.System); err != nil {
		return err
	} else if keeps && o.Recover && o.Kept == nil {
		return fmt.Errorf("node %d was in the run before: %s takes it back with what it had kept in a file (-state) alone", n.o.ID, n.o.Algorithm.Name)
	}
	var t distributed.Transport = n.link
	if n.o.Double {
		t = double{t}
	}
	var err error
	if n.member, err = live.Join(n.o.Algorithm, n.o.System, n.o.ID, t, o); err != nil {
		return err
	}
	n.locker = n.member
	n.tell(Event{Event: Met, Again: o.Recover})
	return nil
}

// keeps reports whether the nodes of an algorithm must keep state over a crash.
func keeps(a *distributed.Algorithm, c distributed.Config) (bool, error) {
	nodes, err := a.New(c)
	if err != nil {
		return false, err
	}
	_, is := distributed.Unwrapped(nodes[0]).(distributed.Keeper)
	return is, nil
}

// Keeps reports whether a's nodes must keep state over a crash, and so need
// Options.Kept.
func Keeps(a *distributed.Algorithm, c distributed.Config) bool {
	is, err := keeps(a, c)
	return is && err == nil
}
