// Package kvlock lets the threads of a node take the lock of package natsnet in place
// of a message-passing algorithm: a user of NATS would take this one.
package kvlock

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"

	"shmbench/distributed"
	"shmbench/distributed/live"
	"shmbench/distributed/natsnet"
)

// Spec stands for the lock where an algorithm is named.
var Spec = distributed.Algorithm{
	Name: "jetstream-lease", Title: "Lock on JetStream's key-value store, by compare-and-set, with a lease",
	Source: "Cary G. Gray, David R. Cheriton, Leases, SOSP 1989, pp. 202–210", Lease: true,
	New: func(distributed.Config) ([]distributed.Node, error) {
		return nil, errors.New("jetstream-lease has no nodes: it wants a NATS server")
	},
}

// A Lock is the lock as one thread sees it.
type Lock struct{ m *natsnet.Mutex }

// Open opens the lock of a run, and makes it if it is not there.
func Open(ctx context.Context, conn *nats.Conn, run string, o natsnet.Options) (*Lock, error) {
	m, err := natsnet.Open(ctx, conn, "dmebench-"+run, o)
	if err != nil {
		return nil, err
	}
	return &Lock{m}, nil
}

// Lock waits until the thread has the lock.
func (l *Lock) Lock(ctx context.Context) (live.Permission, error) {
	token, err := l.m.Lock(ctx)
	if err != nil {
		return live.Permission{}, err
	}
	return live.Permission{Fence: distributed.Fence{Count: int64(token.Number)}, Revoked: token.Lost}, nil
}

// Trouble returns why a request to the server is being repeated; nil: none is.
func (l *Lock) Trouble() error { return l.m.Trouble() }

// Unlock gives the lock back, if it is still the thread's.
func (l *Lock) Unlock(ctx context.Context) error {
	if err := l.m.Unlock(ctx); !errors.Is(err, natsnet.ErrLost) {
		return err
	}
	return nil
}
