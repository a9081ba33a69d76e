package resource

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/kv"
	"shmbench/distributed/natsnet/server"
)

var ctx = context.Background()

func token(k int64) distributed.Fence { return distributed.Fence{Count: k} }

// overlap lets the holders of tokens 1 and 2 both read, and then write.
func overlap(t *testing.T, one, other *Resource) (first, second error) {
	a, err := one.Read(ctx, token(1))
	require.NoError(t, err)
	b, err := other.Read(ctx, token(2))
	require.NoError(t, err)
	require.Equal(t, a, b)
	return one.Write(ctx, token(1), a+1), other.Write(ctx, token(2), b+1)
}

func test(t *testing.T, open func(fenced bool) *Resource) {
	// Without a fence one of the two updates is lost, and that shows.
	one, other := open(false), open(false)
	first, second := overlap(t, one, other)
	require.NoError(t, first)
	require.NoError(t, second)
	s, err := one.State(ctx)
	require.NoError(t, err)
	require.Equal(t, State{High: token(2), Value: 1, Taken: 2}, s)
	require.Equal(t, int64(1), s.Lost())
}

func testFenced(t *testing.T, open func(fenced bool) *Resource) {
	// With one the older is refused, and nothing is lost.
	one, other := open(true), open(true)
	first, second := overlap(t, one, other)
	require.ErrorIs(t, first, ErrStale)
	require.EqualError(t, first, "an old token: 0.1, and 0.2 has been seen")
	require.NoError(t, second)
	_, err := one.Read(ctx, token(1))
	require.ErrorIs(t, err, ErrStale)
	s, err := other.State(ctx)
	require.NoError(t, err)
	require.Equal(t, State{High: token(2), Value: 1, Taken: 1, Refused: 2}, s)
	require.Zero(t, s.Lost())
}

func opener(t *testing.T) func(fenced bool) *Resource {
	path := filepath.Join(t.TempDir(), "resource")
	return func(fenced bool) *Resource {
		f, err := OpenFile(path, fenced)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, f.Close()) })
		return f
	}
}

func TestFile(t *testing.T) {
	test(t, opener(t))
	testFenced(t, opener(t))
}

func TestKV(t *testing.T) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	for k, run := range []func(*testing.T, func(bool) *Resource){test, testFenced} {
		run(t, func(fenced bool) *Resource {
			return openKV(t, s, fmt.Sprint(k), fenced)
		})
	}
}

// openKV opens a resource on a server until the test ends.
func openKV(t *testing.T, s *server.Server, run string, fenced bool) *Resource {
	r, err := OpenKV(ctx, &bus.Server{URL: s.URL()}, func(error) {}, run, fenced, kv.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

// Accesses of several at once each take effect.
func TestAccessIsAtomic(t *testing.T) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	shared := openKV(t, s, "x", false)
	open := opener(t)
	for _, all := range [][]*Resource{{shared, shared, shared}, {open(false), open(false), open(false)}} {
		var wg sync.WaitGroup
		for _, r := range all {
			wg.Go(func() {
				for range 30 {
					if err := r.Write(ctx, token(1), 0); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		now, err := all[0].State(ctx)
		require.NoError(t, err)
		require.Equal(t, int64(90), now.Taken)
	}
}

// A file that holds something else is refused, and a state that a kill left with
// more than it needs is read.
func TestWhatAFileHolds(t *testing.T) {
	for text, says := range map[string]string{
		"":                     "",
		"{}":                   "",
		"{\"value\": 7}   \n":  "",
		"{\"value\": 7} {}":    "it goes on after its end",
		"{\"value\": -7}":      "a count is negative",
		"{\"worth\": 7}":       "unknown field",
		"what is this?":        "invalid character",
		"{\"high\":{\"count\"": "unexpected EOF",
	} {
		path := filepath.Join(t.TempDir(), "resource")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		f, err := FindFile(path)
		require.NoError(t, err)
		_, err = f.State(ctx)
		if says == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, says, text)
			require.ErrorContains(t, err, "holds something else", text)
		}
		require.NoError(t, f.Close())
	}
	_, err := FindFile(filepath.Join(t.TempDir(), "nothing"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// So is an entry of a key-value store.
func TestWhatAStoreHolds(t *testing.T) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	conn, err := bus.Server{URL: s.URL()}.Connect("test", func(error) {})
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	resource := openKV(t, s, "x", true)
	store, err := kv.Find(ctx, conn.Conn, bucket("x"))
	require.NoError(t, err)
	var revision uint64
	for text, says := range map[string]string{"{\"value\": -7}": "a count is negative", "{\"value\": 7} {}": "it goes on", "": "EOF"} {
		revision, err = store.Update(ctx, kvKey, []byte(text), revision)
		require.NoError(t, err)
		_, err = resource.State(ctx)
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "holds something else")
	}
}
