// Package kv opens key-value stores of JetStream that survive a restart of the
// server. It repeats requests that a lost connection has interrupted.
package kv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say how the server stores a store's entries.
type Options struct {
	// Memory keeps the store in the memory of the server, where a restart loses
	// it. Otherwise the server writes the store to files. It syncs these to the
	// disk as its own configuration says (sync_interval: two minutes, or always).
	Memory bool

	// Replicas is the number of servers of a cluster that keep the store, 1 to 5;
	// 0 means 1.
	Replicas int
}

// MaxReplicas is the maximum number of replicas in JetStream.
const MaxReplicas = 5

// A Store is a key-value store on a server.
type Store struct {
	jetstream.KeyValue
	js      jetstream.JetStream
	stream  string
	trouble atomic.Pointer[error] // the error of a request that is being repeated; nil: there is none
}

// Trouble returns why the store repeats a request, or nil if it repeats none.
func (s *Store) Trouble() error {
	if err := s.trouble.Load(); err != nil {
		return *err
	}
	return nil
}

// ErrGone says that the server has lost a store that it had.
var ErrGone = errors.New("the NATS server has lost the store")

// ErrNone says that the server has no such store.
var ErrNone = errors.New("the NATS server has no such store")

// attempt is how long the server may take over one request before it is repeated.
const attempt = 5 * time.Second

// Open opens the store called bucket, and creates it if it does not exist. The
// server removes an entry after life; 0 means never. Open returns an error if the
// store exists with another life, if ctx ends, or if the server refuses.
func Open(ctx context.Context, conn *nats.Conn, bucket string, life time.Duration, o Options) (*Store, error) {
	return open(ctx, conn, bucket, func(ctx context.Context, js jetstream.JetStream) (jetstream.KeyValue, error) {
		storage := jetstream.FileStorage
		if o.Memory {
			storage = jetstream.MemoryStorage
		}
		store, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket, TTL: life, Storage: storage, Replicas: max(1, o.Replicas)})
		if !errors.Is(err, jetstream.ErrBucketExists) {
			return store, err
		}
		if store, err = js.KeyValue(ctx, bucket); err != nil {
			return nil, err
		}
		status, err := store.Status(ctx)
		if err == nil && status.TTL() != life {
			err = fmt.Errorf("%w: its entries last %v there, and %v here", errDiffers, status.TTL(), life)
		}
		return store, err
	})
}

// Find opens the store called bucket, or returns ErrNone.
func Find(ctx context.Context, conn *nats.Conn, bucket string) (*Store, error) {
	return open(ctx, conn, bucket, func(ctx context.Context, js jetstream.JetStream) (jetstream.KeyValue, error) {
		store, err := js.KeyValue(ctx, bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			err = ErrNone
		}
		return store, err
	})
}

// ErrAgain makes Do call its function again.
var ErrAgain = errors.New("again")

var errDiffers = errors.New("the store is another one")

func open(ctx context.Context, conn *nats.Conn, bucket string, how func(context.Context, jetstream.JetStream) (jetstream.KeyValue, error)) (*Store, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	s := &Store{js: js, stream: "KV_" + bucket}
	err = s.repeat(ctx, func(ctx context.Context) (err error) {
		s.KeyValue, err = how(ctx, js)
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
			err = final{err} // the server is not made for it, and repeating does not help
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the key-value store %s: %w", bucket, err)
	}
	return s, nil
}

// Do calls do. It calls do again, until ctx ends, as long as do returns an error of the
// connection or of a server that is not ready. If do fails, the server may still have carried
// out its request. Do returns ErrGone if the store no longer exists.
func (s *Store) Do(ctx context.Context, do func(ctx context.Context) error) error {
	return s.repeat(ctx, func(ctx context.Context) error {
		err := do(ctx)
		if !is(err, jetstream.ErrNoStreamResponse, nats.ErrNoResponders, jetstream.ErrStreamNotFound, nats.ErrStreamNotFound) {
			return err
		}
		if _, gone := s.js.Stream(ctx, s.stream); errors.Is(gone, jetstream.ErrStreamNotFound) {
			return final{fmt.Errorf("%w %s", ErrGone, s.Bucket())}
		}
		return err
	})
}

// final is an error that a repetition does not help against.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// The pauses between two attempts grow from soonest to latest.
const (
	soonest = 20 * time.Millisecond
	latest  = time.Second
)

func (s *Store) repeat(ctx context.Context, do func(ctx context.Context) error) error {
	defer s.trouble.Store(nil)
	for pause := soonest; ; pause = min(2*pause, latest) {
		one, cancel := context.WithTimeout(ctx, attempt)
		err := do(one)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = fmt.Errorf("the NATS server does not answer within %v", attempt)
		} else if err == nil || !transient(err) {
			return err
		}
		s.trouble.Store(&err)
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w; the last answer of the NATS server: %w", context.Cause(ctx), err)
		case <-time.After(pause/2 + rand.N(pause/2)):
		}
	}
}

// transient reports whether a repetition may help against err.
func transient(err error) bool {
	var f final
	var api *jetstream.APIError
	var older *nats.APIError // of watches
	switch {
	case errors.As(err, &f):
		return false
	case errors.As(err, &api):
		return api.Code == 503 // "temporarily unavailable", and a disk that takes nothing
	case errors.As(err, &older):
		return older.Code == 503
	}
	return is(err, ErrAgain,
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrReconnectBufExceeded, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrStaleConnection, nats.ErrNoServers, jetstream.ErrNoStreamResponse, context.DeadlineExceeded)
}

// is reports whether err is one of those errors.
func is(err error, those ...error) bool {
	return slices.ContainsFunc(those, func(e error) bool { return errors.Is(err, e) })
}

// Conflict reports whether err says that the entry does not have the expected
// revision.
func Conflict(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return true
	}
	return errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.Is(err, jetstream.ErrKeyExists)
}
