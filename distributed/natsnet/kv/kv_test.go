package kv

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/server"
)

func connected(t *testing.T) (*server.Server, *nats.Conn) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	conn, err := nats.Connect(s.URL(), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond), nats.ReconnectBufSize(-1))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return s, conn
}

// What is written stays over a restart of the server, unless it is in memory; then
// the store says that it is gone.
func TestRestart(t *testing.T) {
	s, conn := connected(t)
	ctx := t.Context()
	_, err := Find(ctx, conn, "disk")
	require.ErrorIs(t, err, ErrNone)
	for _, memory := range []bool{false, true} {
		name := fmt.Sprint("memory-", memory)
		store, err := Open(ctx, conn, name, 0, Options{Memory: memory})
		require.NoError(t, err)
		first, err := store.Create(ctx, "k", []byte("v"))
		require.NoError(t, err)
		require.NoError(t, s.Restart())
		var e jetstream.KeyValueEntry
		err = store.Do(ctx, func(ctx context.Context) (err error) {
			e, err = store.Get(ctx, "k")
			return err
		})
		if memory {
			require.ErrorIs(t, err, ErrGone)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "v", string(e.Value()))
		next, err := store.Update(ctx, "k", []byte("w"), first)
		require.NoError(t, err)
		require.Greater(t, next, first)
		_, err = store.Update(ctx, "k", []byte("x"), first)
		require.True(t, Conflict(err))
		_, err = store.Create(ctx, "k", []byte("x"))
		require.True(t, Conflict(err))
		found, err := Find(ctx, conn, name)
		require.NoError(t, err)
		require.Equal(t, name, found.Bucket())
	}
}

// A revision does not begin anew when all entries have run out, nor after a restart
// then: it is the number of a token.
func TestRevisionsGrow(t *testing.T) {
	s, conn := connected(t)
	ctx := t.Context()
	store, err := Open(ctx, conn, "short", 100*time.Millisecond, Options{})
	require.NoError(t, err)
	var last uint64
	for k := range 4 {
		var revision uint64
		for end := time.Now().Add(time.Minute); time.Now().Before(end); { // until the last one has run out
			if revision, err = store.Create(ctx, "k", nil); !Conflict(err) {
				break
			}
		}
		require.NoError(t, err)
		require.Greater(t, revision, last)
		last = revision
		if k%2 == 1 {
			time.Sleep(300 * time.Millisecond) // nothing is in the store
			require.NoError(t, s.Restart())
			require.NoError(t, store.Do(ctx, func(ctx context.Context) error {
				_, err := store.Status(ctx)
				return err
			}))
		}
	}
}

// An error that a repetition does not help ends Do at once, another one when ctx does.
func TestDo(t *testing.T) {
	_, conn := connected(t)
	store, err := Open(t.Context(), conn, "x", 0, Options{})
	require.NoError(t, err)
	calls := 0
	strange := errors.New("strange")
	require.ErrorIs(t, store.Do(t.Context(), func(context.Context) error { calls++; return strange }), strange)
	require.Equal(t, 1, calls)
	calls = 0
	require.NoError(t, store.Do(t.Context(), func(context.Context) error {
		if calls++; calls < 4 {
			return nats.ErrReconnectBufExceeded
		}
		return nil
	}))
	require.Equal(t, 4, calls)
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errors.New("patience"))
	defer cancel()
	err = store.Do(ctx, func(context.Context) error { return nats.ErrTimeout })
	require.EqualError(t, err, "patience; the last answer of the NATS server: nats: timeout")

	// A server without JetStream is no reason to wait.
	for _, final := range []error{jetstream.ErrJetStreamNotEnabled, jetstream.ErrJetStreamNotEnabledForAccount} {
		_, err = open(t.Context(), conn, "y", func(context.Context, jetstream.JetStream) (jetstream.KeyValue, error) { return nil, final })
		require.ErrorIs(t, err, final)
	}
}
