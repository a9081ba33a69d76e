package resource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"shmbench/distributed"
)

// KV is a resource in an entry of JetStream's key-value store, for nodes on any
// machines. Each access is a read and a compare-and-set, until one succeeds.
type KV struct {
	kv     jetstream.KeyValue
	fenced bool
}

// kvKey is the key of the entry.
const kvKey = "resource"

// answer is how long the server may take over one access.
const answer = time.Minute

// OpenKV opens, or makes, the resource of the given run.
func OpenKV(conn *nats.Conn, run string, fenced bool) (*KV, error) {
	ctx, cancel := context.WithTimeout(context.Background(), answer)
	defer cancel()
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	kv, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "dmebench-resource-" + run, Storage: jetstream.MemoryStorage})
	if err != nil {
		return nil, fmt.Errorf("JetStream's key-value store: %w", err)
	}
	return &KV{kv, fenced}, nil
}

// access does something to the state at one moment.
func (r *KV) access(do func(s *State) (changed bool, err error)) error {
	ctx, cancel := context.WithTimeout(context.Background(), answer)
	defer cancel()
	for {
		var s State
		var revision uint64
		switch e, err := r.kv.Get(ctx, kvKey); {
		case err == nil:
			revision = e.Revision()
			if err := json.Unmarshal(e.Value(), &s); err != nil {
				return fmt.Errorf("the resource in the key-value store holds something else: %w", err)
			}
		case !errors.Is(err, jetstream.ErrKeyNotFound):
			return err
		}
		changed, err := do(&s)
		if err != nil || !changed {
			return err
		}
		b, err := json.Marshal(s)
		if err != nil {
			return err
		}
		_, err = r.kv.Update(ctx, kvKey, b, revision) // revision 0: it must not be there
		var api *jetstream.APIError
		if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
			continue // another access came between
		}
		return err
	}
}

// Read implements Resource.
func (r *KV) Read(f distributed.Fence) (value int64, err error) { return read(r, r.fenced, f) }

// Write implements Resource.
func (r *KV) Write(f distributed.Fence, value int64) error { return write(r, r.fenced, f, value) }

// State implements Resource.
func (r *KV) State() (State, error) { return state(r) }
