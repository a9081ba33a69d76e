package node

import (
	"context"
	"fmt"
	"sync/atomic"

	"shmbench/distributed"
	"shmbench/distributed/live"
	"shmbench/distributed/natsnet"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/kvlock"
)

// locker is what the threads of a node lock: its member, or a lease.
type locker interface {
	Lock(ctx context.Context, t distributed.Thread) (live.Permission, error)
	Unlock(t distributed.Thread)
}

// leased are the locks of a node's threads on JetStream's key-value store.
type leased struct {
	node     *node
	conn     *bus.Conn
	locks    []*kvlock.Lock
	requests atomic.Int64
}

// lease connects a node to the store.
func (n *node) lease() error {
	conn, err := n.o.NATS.Connect(fmt.Sprintf("dmebench node %d", n.o.ID), n.log)
	if err != nil {
		return err
	}
	n.leased = &leased{node: n, conn: conn}
	for t := range n.threads {
		l, err := kvlock.Open(n.ctx, conn.Conn, n.o.Run.String(), natsnet.Options{
			Lease: n.o.Lease, Owner: fmt.Sprintf("node %d, thread %d", n.o.ID, t), Store: n.o.Store, Requests: &n.leased.requests,
		})
		if err != nil {
			return err
		}
		n.leased.locks = append(n.leased.locks, l)
	}
	n.locker = n.leased
	n.tell(Event{Event: Met})
	return nil
}

func (l *leased) Lock(ctx context.Context, t distributed.Thread) (live.Permission, error) {
	return l.locks[t].Lock(ctx)
}

func (l *leased) Unlock(t distributed.Thread) {
	l.node.try(l.locks[t].Unlock(l.node.ctx))
}
