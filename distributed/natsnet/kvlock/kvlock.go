// Package kvlock is what a user of NATS would take instead of a message-passing
// algorithm: a lock on JetStream's key-value store. Whoever creates the key has the
// lock, for as long as a lease lasts, renews the lease meanwhile, and deletes the
// key to give the lock back.
//
// It is no lock: a holder that does not run while its lease ends is not told, and
// is inside together with the next one. Its tokens, the revisions of the store,
// let a resource refuse it all the same.
package kvlock

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"shmbench/distributed"
	"shmbench/distributed/live"
)

// Card stands for the lock where an algorithm is named.
var Card = distributed.Algorithm{
	Name: "jetstream-lease", Title: "Lock on JetStream's key-value store, by compare-and-set, with a lease",
	Source: "Cary G. Gray, David R. Cheriton, Leases, SOSP 1989, pp. 202–210", Lease: true,
	New: func(distributed.Config) ([]distributed.Node, error) {
		return nil, errors.New("jetstream-lease has no nodes: it wants a NATS server")
	},
}

// Shortest is the shortest lease that JetStream keeps.
const Shortest = 100 * time.Millisecond

// key is that of the lock.
const key = "lock"

// A Lock is the lock as one thread sees it.
type Lock struct {
	kv       jetstream.KeyValue
	owner    string
	lease    time.Duration
	revision uint64 // of what this thread wrote last, while it holds the lock
	renewing context.CancelFunc
	ended    chan struct{} // the renewing has
	requests *atomic.Int64
}

// Open opens, or makes, the store of the run's lock.
func Open(ctx context.Context, conn *nats.Conn, run string, lease time.Duration) (jetstream.KeyValue, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	kv, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "dmebench-" + run, TTL: lease, Storage: jetstream.MemoryStorage})
	if err != nil {
		return nil, fmt.Errorf("JetStream's key-value store: %w", err)
	}
	return kv, nil
}

// New makes the lock of one thread, which owner names. requests counts what is
// asked of the server.
func New(kv jetstream.KeyValue, owner string, lease time.Duration, requests *atomic.Int64) *Lock {
	return &Lock{kv: kv, owner: owner, lease: lease, requests: requests}
}

// Lock waits until the key is this thread's. The permission's token is the
// revision at which it became that.
func (l *Lock) Lock(ctx context.Context) (live.Permission, error) {
	watch, err := l.kv.Watch(ctx, key, jetstream.UpdatesOnly())
	if err != nil {
		return live.Permission{}, err
	}
	defer watch.Stop()
	for {
		l.requests.Add(1)
		l.revision, err = l.kv.Create(ctx, key, []byte(l.owner))
		if err == nil {
			return live.Permission{Fence: distributed.Fence{Count: int64(l.revision)}, Revoked: l.renew()}, nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return live.Permission{}, err
		}
		if err := l.deleted(ctx, watch); err != nil {
			return live.Permission{}, err
		}
	}
}

// deleted waits until the key has been deleted, or has perhaps run out, of which
// nobody is told.
func (l *Lock) deleted(ctx context.Context, watch jetstream.KeyWatcher) error {
	late := time.After(l.lease / 4)
	for {
		select {
		case e := <-watch.Updates():
			if e != nil && e.Operation() != jetstream.KeyValuePut {
				return nil
			}
		case <-late:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// renew renews the lease until Unlock. It closes revoked when that fails.
func (l *Lock) renew() (revoked <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	lost := make(chan struct{})
	l.renewing, l.ended = cancel, make(chan struct{})
	go func() {
		defer close(l.ended)
		for t := time.NewTicker(l.lease / 3); ; {
			select {
			case <-ctx.Done():
				t.Stop()
				return
			case <-t.C:
			}
			l.requests.Add(1)
			revision, err := l.kv.Update(ctx, key, []byte(l.owner), l.revision)
			if err != nil {
				t.Stop()
				if ctx.Err() == nil {
					close(lost)
				}
				return
			}
			l.revision = revision
		}
	}()
	return lost
}

// Unlock gives the lock back, if it is still this thread's.
func (l *Lock) Unlock(ctx context.Context) error {
	l.renewing()
	<-l.ended
	l.requests.Add(1)
	err := l.kv.Delete(ctx, key, jetstream.LastRevision(l.revision))
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		return nil // it is not
	}
	return err
}
