package natsnet

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/kv"
	"shmbench/distributed/natsnet/resource"
	"shmbench/distributed/natsnet/server"
)

// long is a deadline for actions that take no time on any machine, and a lease that no
// process loses.
const long = 2 * time.Minute

func started(t *testing.T) *server.Server {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	return s
}

func connected(t *testing.T, s *server.Server) *nats.Conn {
	conn, err := bus.Server{URL: s.URL()}.Connect("test", func(error) {})
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn.Conn
}

func opened(t *testing.T, s *server.Server, name string, o Options) *Mutex {
	m, err := Open(t.Context(), connected(t, s), name, o)
	require.NoError(t, err)
	return m
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// lost waits until a token is lost.
func lost(t *testing.T, token Token) {
	t.Helper()
	select {
	case <-token.Lost:
	case <-time.After(long):
		t.Fatal("the holder does not hear that its lease may be over")
	}
}

// Holders exclude each other, and their tokens grow.
func TestMutualExclusion(t *testing.T) {
	s := started(t)
	const holders, each = 4, 10
	var wg sync.WaitGroup
	var inside atomic.Int32
	var last uint64 // protected by the lock alone
	for range holders {
		m := opened(t, s, "counter", Options{Lease: long})
		wg.Go(func() {
			for range each {
				token, err := m.Lock(within(t, long))
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 || token.Number <= last {
					t.Errorf("token %d after %d, and %d are inside", token.Number, last, inside.Load())
				}
				last = token.Number
				inside.Add(-1)
				if err := m.Unlock(within(t, long)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	// Locks of different names do not exclude each other.
	one, other := opened(t, s, "one", Options{Lease: long}), opened(t, s, "other", Options{Lease: long})
	for _, m := range []*Mutex{one, other} {
		_, err := m.Lock(within(t, long))
		require.NoError(t, err)
	}
}

// A lease is renewed as long as its holder lives.
func TestRenewed(t *testing.T) {
	s := started(t)
	o := Options{Lease: 2 * time.Second, Requests: new(atomic.Int64)}
	m, other := opened(t, s, "x", o), opened(t, s, "x", o)
	token, err := m.Lock(within(t, long))
	require.NoError(t, err)
	_, err = other.Lock(within(t, 5*time.Second)) // of more than two leases
	require.ErrorIs(t, err, context.DeadlineExceeded)
	select {
	case <-token.Lost: // the machine did not run this program for most of a lease
		t.Skip("the machine is too busy to renew a lease of 2s")
	default:
	}
	require.Greater(t, o.Requests.Load(), int64(5))
	require.NoError(t, m.Unlock(within(t, long)))
	next, err := other.Lock(within(t, long))
	require.NoError(t, err)
	require.Greater(t, next.Number, token.Number)
}

// A holder that is cut off the server hears in time that its lease may be over. The
// next one gets a greater token, and the resource refuses the first one's write.
func TestLost(t *testing.T) {
	s := started(t)
	o := Options{Lease: time.Second}
	m, other := opened(t, s, "x", o), opened(t, s, "x", o)
	file, err := resource.OpenFile(filepath.Join(t.TempDir(), "counter"), true)
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	fence := func(token Token) distributed.Fence { return distributed.Fence{Count: int64(token.Number)} }

	var away atomic.Bool
	m.store.KeyValue = unreachable{m.store.KeyValue, &away}
	first, err := m.Lock(within(t, long))
	require.NoError(t, err)
	value, err := file.Read(t.Context(), fence(first))
	require.NoError(t, err)
	ctx, cancel := first.Context(t.Context())
	defer cancel()
	away.Store(true)
	lost(t, first)
	<-ctx.Done()
	require.ErrorIs(t, context.Cause(ctx), ErrLost)

	second, err := other.Lock(within(t, long))
	require.NoError(t, err)
	require.Greater(t, second.Number, first.Number)
	again, err := file.Read(t.Context(), fence(second))
	require.NoError(t, err)
	require.NoError(t, file.Write(t.Context(), fence(second), again+1))
	require.ErrorIs(t, file.Write(t.Context(), fence(first), value+1), resource.ErrStale)
	require.ErrorIs(t, m.Unlock(within(t, long)), ErrLost)
	require.ErrorIs(t, m.Unlock(within(t, long)), ErrNotHeld)
}

// unreachable is a store whose server cannot be reached by updates.
type unreachable struct {
	jetstream.KeyValue
	away *atomic.Bool
}

func (u unreachable) Update(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	if u.away.Load() {
		return 0, nats.ErrTimeout
	}
	return u.KeyValue.Update(ctx, key, value, last)
}

// The answers to requests are lost, although the server has done what it was asked.
type deaf struct {
	jetstream.KeyValue
	times *atomic.Int32 // how many answers are still to be lost
}

func (d deaf) loses(err error) error {
	if err == nil && d.times.Add(-1) >= 0 {
		return nats.ErrTimeout
	}
	return err
}

func (d deaf) Create(ctx context.Context, key string, value []byte, o ...jetstream.KVCreateOpt) (uint64, error) {
	revision, err := d.KeyValue.Create(ctx, key, value, o...)
	return revision, d.loses(err)
}

func (d deaf) Update(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	revision, err := d.KeyValue.Update(ctx, key, value, last)
	return revision, d.loses(err)
}

func (d deaf) Delete(ctx context.Context, key string, o ...jetstream.KVDeleteOpt) error {
	return d.loses(d.KeyValue.Delete(ctx, key, o...))
}

// A request whose answer is lost has its effect once.
func TestAnswersAreLost(t *testing.T) {
	s := started(t)
	times := new(atomic.Int32)
	m, other := opened(t, s, "x", Options{Lease: long}), opened(t, s, "x", Options{Lease: long})
	m.store.KeyValue = deaf{m.store.KeyValue, times}
	for _, n := range []int32{1, 2, 3} {
		times.Store(n) // of the creation, and of the update that finds it
		token, err := m.Lock(within(t, long))
		require.NoError(t, err)
		times.Store(n) // of a renewal
		require.NoError(t, m.held.once(t.Context()))
		times.Store(n) // of the deletion
		require.NoError(t, m.Unlock(within(t, long)))
		next, err := other.Lock(within(t, long))
		require.NoError(t, err, "the lock is free")
		require.Greater(t, next.Number, token.Number)
		require.NoError(t, other.Unlock(within(t, long)))
	}
}

// mute never answers the first request to watch.
type mute struct {
	jetstream.KeyValue
	asked *atomic.Int32
}

func (m mute) Watch(ctx context.Context, keys string, o ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	if m.asked.Add(1) == 1 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return m.KeyValue.Watch(ctx, keys, o...)
}

// A request to watch that is lost, as when the server restarts, is repeated; the watch
// that begins then tells of the Unlock.
func TestWatchIsLost(t *testing.T) {
	t.Parallel()
	s := started(t)
	m, other := opened(t, s, "x", Options{Lease: time.Hour}), opened(t, s, "x", Options{Lease: time.Hour})
	_, err := other.Lock(within(t, long))
	require.NoError(t, err)
	asked := new(atomic.Int32)
	m.store.KeyValue = mute{m.store.KeyValue, asked}
	got := make(chan error)
	go func() {
		_, err := m.Lock(within(t, long))
		got <- err
	}()
	require.Eventually(t, func() bool { return asked.Load() == 2 }, long, 10*time.Millisecond)
	require.NoError(t, other.Unlock(within(t, long)))
	require.NoError(t, <-got)
}

// A process that gives up leaves nothing behind.
func TestGivesUp(t *testing.T) {
	s := started(t)
	m, other := opened(t, s, "x", Options{Lease: long}), opened(t, s, "x", Options{Lease: long})
	times := new(atomic.Int32)
	times.Store(1 << 30)
	m.store.KeyValue = deaf{m.store.KeyValue, times}
	_, err := m.Lock(within(t, 500*time.Millisecond)) // it had the lock, and never heard of it
	require.ErrorIs(t, err, context.DeadlineExceeded)
	times.Store(0)
	_, err = other.Lock(within(t, long))
	require.NoError(t, err)
	_, err = m.Lock(within(t, 100*time.Millisecond))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// A restart of the server loses neither the lock nor the number of tokens, and the
// holder renews its lease over it.
func TestServerRestarts(t *testing.T) {
	s := started(t)
	m, other := opened(t, s, "x", Options{Lease: long}), opened(t, s, "x", Options{Lease: long})
	first, err := m.Lock(within(t, long))
	require.NoError(t, err)
	require.NoError(t, s.Restart())
	_, err = other.Lock(within(t, 300*time.Millisecond))
	require.ErrorIs(t, err, context.DeadlineExceeded, "the first one has the lock")
	require.NoError(t, m.held.once(t.Context()))
	require.NoError(t, m.Unlock(within(t, long)))
	require.NoError(t, s.Restart())
	second, err := other.Lock(within(t, long))
	require.NoError(t, err)
	require.Greater(t, second.Number, first.Number)

	// Of a lock in memory it loses both, and says so to its holder.
	m = opened(t, s, "y", Options{Lease: time.Second, Store: kv.Options{Memory: true}})
	token, err := m.Lock(within(t, long))
	require.NoError(t, err)
	require.NoError(t, s.Restart())
	lost(t, token)
	require.ErrorIs(t, m.Unlock(within(t, long)), ErrLost)
	_, err = m.Lock(within(t, long))
	require.ErrorIs(t, err, ErrGone)
	require.EqualError(t, err, "the NATS server has lost the store lock-y")
}

// While the server is away Lock waits, and Unlock does not hang.
func TestServerIsAway(t *testing.T) {
	s := started(t)
	m := opened(t, s, "x", Options{Lease: long})
	s.Stop()
	_, err := m.Lock(within(t, 300*time.Millisecond))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	got := make(chan error)
	go func() {
		_, err := m.Lock(within(t, long))
		got <- err
	}()
	time.Sleep(100 * time.Millisecond)
	require.NoError(t, s.Restart())
	require.NoError(t, <-got)
	s.Stop()
	err = m.Unlock(within(t, 300*time.Millisecond))
	require.ErrorContains(t, err, "giving the lock back: ")
	require.ErrorIs(t, m.Unlock(t.Context()), ErrNotHeld)
	require.NoError(t, s.Restart())
}

// What makes no sense is refused.
func TestWrongUse(t *testing.T) {
	s := started(t)
	conn := connected(t, s)
	for says, c := range map[string]struct {
		name string
		o    Options
	}{
		`the name of a lock is "": it has 1 to 200 letters, digits, - and _`:    {"", Options{}},
		`the name of a lock is "a.b": it has 1 to 200 letters, digits, - and _`: {"a.b", Options{}},
		"a lease of 1ms: it must be at least 100ms":                             {"x", Options{Lease: time.Millisecond}},
		"6 replicas: there must be between 1 and 5":                             {"x", Options{Store: kv.Options{Replicas: 6}}},
	} {
		_, err := Open(t.Context(), conn, c.name, c.o)
		require.EqualError(t, err, says)
	}
	m, err := Open(t.Context(), conn, "x", Options{})
	require.NoError(t, err)
	_, err = Open(t.Context(), conn, "x", Options{Lease: time.Minute})
	require.EqualError(t, err, "the key-value store lock-x: the store is another one: its entries last 10s there, and 1m0s here")
	require.ErrorIs(t, m.Unlock(t.Context()), ErrNotHeld)
	_, err = m.Lock(within(t, long))
	require.NoError(t, err)
	_, err = m.Lock(within(t, long))
	require.ErrorIs(t, err, ErrHeld)
	other := opened(t, s, "x", Options{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !errors.Is(other.Unlock(t.Context()), ErrHeld) { // until the other one waits
		}
		cancel()
	}()
	_, err = other.Lock(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// The rights that distributed/docs/network.md names are enough for the lock.
func TestRights(t *testing.T) {
	account := natsserver.NewAccount("dmebench")
	s, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), Accounts: []*natsserver.Account{account},
		Users: []*natsserver.User{{Username: "node0", Password: "secret", Account: account, Permissions: &natsserver.Permissions{
			Publish:   &natsserver.SubjectPermission{Allow: []string{"$JS.API.>", "$KV.>"}},
			Subscribe: &natsserver.SubjectPermission{Allow: []string{"_INBOX.>"}},
		}}},
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	require.True(t, s.ReadyForConnections(time.Minute))
	there, err := s.LookupAccount("dmebench")
	require.NoError(t, err)
	require.NoError(t, there.EnableJetStream(nil, nil))
	conn, err := nats.Connect(s.ClientURL(), nats.UserInfo("node0", "secret"))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	m, err := Open(within(t, long), conn, "x", Options{Lease: long})
	require.NoError(t, err)
	first, err := m.Lock(within(t, long))
	require.NoError(t, err)
	require.NoError(t, m.Unlock(within(t, long)))
	second, err := m.Lock(within(t, long))
	require.NoError(t, err)
	require.Greater(t, second.Number, first.Number)
	require.NoError(t, m.Unlock(within(t, long)))
}
