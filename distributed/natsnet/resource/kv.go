package resource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/kv"
)

// shared is the store of a resource for nodes on any machines: an entry of JetStream's
// key-value store. Each access is a read and a compare-and-set, repeated until one
// succeeds.
type shared struct {
	kv   *kv.Store
	conn *bus.Conn
}

// kvKey is the key of the entry.
const kvKey = "resource"

// bucket is the name of the store of a run.
func bucket(run string) string { return "dmebench-resource-" + run }

// OpenKV opens the resource of the given run on server at, and makes it if it is not there.
// It calls log with what goes wrong with the connection.
func OpenKV(ctx context.Context, at *bus.Server, log func(error), run string, fenced bool, o kv.Options) (*Resource, error) {
	return connect(at, log, fenced, func(c *bus.Conn) (*kv.Store, error) { return kv.Open(ctx, c.Conn, bucket(run), 0, o) })
}

// FindKV opens the resource of the given run on server at, and fails if it is not there.
func FindKV(ctx context.Context, at *bus.Server, run string) (*Resource, error) {
	return connect(at, func(error) {}, true, func(c *bus.Conn) (*kv.Store, error) { return kv.Find(ctx, c.Conn, bucket(run)) })
}

func connect(at *bus.Server, log func(error), fenced bool, open func(*bus.Conn) (*kv.Store, error)) (*Resource, error) {
	conn, err := at.Connect("dmebench resource", log)
	if err != nil {
		return nil, err
	}
	store, err := open(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Resource{&shared{store, conn}, fenced}, nil
}

// entry is what the store holds.
type entry struct {
	State

	// Recent names the latest accesses. So an access that is repeated, because
	// the answer to it was lost, takes effect once.
	Recent []string `json:"recent"`
}

// recent is how many accesses an entry names. While one access waits for its
// answer, each thread of the other nodes makes at most one of its own.
const recent = 64

// access implements store.
func (r *shared) access(ctx context.Context, do func(s *State) (changed bool)) error {
	name := nuid.Next()
	return r.kv.Do(ctx, func(ctx context.Context) error {
		for {
			again, err := r.once(ctx, name, do)
			if !again {
				return err
			}
		}
	})
}

// once tries to make one access; again: another one came between.
func (r *shared) once(ctx context.Context, name string, do func(s *State) bool) (again bool, err error) {
	var now entry
	var revision uint64
	switch e, err := r.kv.Get(ctx, kvKey); {
	case err == nil:
		revision = e.Revision()
		if err := parse(e.Value(), &now); err != nil {
			return false, fmt.Errorf("the resource in the key-value store holds something else: %w", err)
		}
	case !errors.Is(err, jetstream.ErrKeyNotFound):
		return false, err
	}
	if slices.Contains(now.Recent, name) || !do(&now.State) {
		return false, nil
	}
	now.Recent = append(now.Recent[max(0, len(now.Recent)+1-recent):], name)
	b, err := json.Marshal(now)
	if err != nil {
		return false, err
	}
	_, err = r.kv.Update(ctx, kvKey, b, revision) // revision 0: it must not be there
	if kv.Conflict(err) {
		return true, nil
	}
	return false, err
}

// Trouble implements store.
func (r *shared) Trouble() error { return r.kv.Trouble() }

// Down implements store.
func (r *shared) Down() time.Duration { return r.conn.Down() }

// Close implements store.
func (r *shared) Close() error {
	r.conn.Close()
	return nil
}
