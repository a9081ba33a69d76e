package node

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"shmbench/distributed"
	"shmbench/distributed/live"
	"shmbench/distributed/natsnet"
	"shmbench/distributed/natsnet/bus"
)

// KVLock stands for the lock of package natsnet where a user names an algorithm. The
// threads of a node can take that lock as any user of NATS would.
var KVLock = distributed.Algorithm{
	Name: "jetstream-lease", Title: "Lock on JetStream's key-value store, by compare-and-set, with a lease",
	Source: "Cary G. Gray, David R. Cheriton, Leases, SOSP 1989, pp. 202–210", Lease: true,
	New: func(distributed.Config) ([]distributed.Node, error) {
		return nil, errors.New("jetstream-lease has no nodes: it wants a NATS server")
	},
}

// locker is the lock that a node's threads use: the node's member, or a lease.
type locker interface {
	Lock(ctx context.Context, t distributed.Thread) (live.Permission, error)
	Unlock(t distributed.Thread)
}

// leased are the locks of a node's threads on JetStream's key-value store.
type leased struct {
	node     *node
	conn     *bus.Conn
	locks    []*natsnet.Mutex
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
		l, err := natsnet.Open(n.ctx, conn.Conn, "dmebench-"+n.o.Run.String(), natsnet.Options{
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
	token, err := l.locks[t].Lock(ctx)
	return live.Permission{Fence: distributed.Fence{Count: int64(token.Number)}, Revoked: token.Lost}, err
}

// Unlock releases the lock, if the thread still holds it.
func (l *leased) Unlock(t distributed.Thread) {
	if err := l.locks[t].Unlock(l.node.ctx); !errors.Is(err, natsnet.ErrLost) {
		l.node.try(err)
	}
}
