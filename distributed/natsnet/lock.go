package natsnet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"shmbench/distributed/natsnet/kv"
)

// DefaultLease is the lease where Options name none, ShortestLease the shortest that
// JetStream keeps.
const (
	DefaultLease  = 10 * time.Second
	ShortestLease = 100 * time.Millisecond
)

// Options say how a lock is kept. All processes must open a lock with the same lease.
type Options struct {
	// Lease is for how long a holder has the lock that does not renew it; 0:
	// DefaultLease.
	Lease time.Duration

	// Owner names the holder to people; "": the machine and the process.
	Owner string

	// Store says how the server keeps the lock. By default it is on the disk, so that
	// a restart of the server loses neither the lock nor the number of its tokens.
	Store kv.Options

	// Requests, unless nil, counts what is asked of the server.
	Requests *atomic.Int64
}

// The errors of a lock, beside those of the context and the server.
var (
	// ErrLost says that the lease was over before Unlock: another process may have
	// had the lock meanwhile.
	ErrLost = errors.New("the lease was over before the lock was given back")

	// ErrHeld says that this Mutex holds the lock already, or waits for it.
	ErrHeld = errors.New("this mutex is in use")

	// ErrNotHeld says that this Mutex does not hold the lock.
	ErrNotHeld = errors.New("this mutex does not hold the lock")

	// ErrGone says that the server no longer has the lock that it had: it has lost
	// its store, and the numbers of tokens begin anew.
	ErrGone = kv.ErrGone
)

// A Token is the permission that Lock gives.
type Token struct {
	// Number is greater than the number of every permission before.
	Number uint64

	// Lost is closed when the lease may be over before long: the holder must stop.
	Lost <-chan struct{}
}

// Context returns a context that ends with parent, and when the lease may be over
// before long. The caller calls cancel when it is done.
func (t Token) Context(parent context.Context) (ctx context.Context, cancel context.CancelFunc) {
	ctx, stop := context.WithCancelCause(parent)
	go func() {
		select {
		case <-t.Lost:
			stop(ErrLost)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { stop(context.Canceled) }
}

// A Mutex is a lock as one holder at a time sees it. Its methods may be called from
// several goroutines.
type Mutex struct {
	store *kv.Store
	o     Options

	mu   sync.Mutex
	busy bool     // a Lock or an Unlock is under way
	held *holding // nil: the lock is not held
}

// key is the key of the lock in its store.
const key = "lock"

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

// Open opens the lock of the given name on a server, and makes it if it is not there.
// A name has up to 200 letters, digits, "-" and "_".
func Open(ctx context.Context, conn *nats.Conn, name string, o Options) (*Mutex, error) {
	if o.Lease == 0 {
		o.Lease = DefaultLease
	}
	if o.Owner == "" {
		host, _ := os.Hostname() // it is for people only
		o.Owner = fmt.Sprintf("%s, process %d", host, os.Getpid())
	}
	switch {
	case !nameForm.MatchString(name):
		return nil, fmt.Errorf("the name of a lock is %q: it has 1 to 200 letters, digits, - and _", name)
	case o.Lease < ShortestLease:
		return nil, fmt.Errorf("a lease of %v: it must be at least %v", o.Lease, ShortestLease)
	case o.Store.Replicas < 0 || o.Store.Replicas > kv.MaxReplicas:
		return nil, fmt.Errorf("%d replicas: there must be between 1 and %d", o.Store.Replicas, kv.MaxReplicas)
	}
	store, err := kv.Open(ctx, conn, "lock-"+name, o.Lease, o.Store)
	if err != nil {
		return nil, err
	}
	return &Mutex{store: store, o: o}, nil
}

// Trouble returns why a request to the server is being repeated; nil: none is.
func (m *Mutex) Trouble() error { return m.store.Trouble() }

// begin marks m as busy if it is held as the caller expects.
func (m *Mutex) begin(held bool) (*holding, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.busy || !held && m.held != nil:
		return nil, ErrHeld
	case held && m.held == nil:
		return nil, ErrNotHeld
	}
	m.busy = true
	return m.held, nil
}

func (m *Mutex) end(held *holding) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy, m.held = false, held
}

// Lock waits until this process has the lock, also while the server is not reachable.
// When ctx ends before, Lock gives up and returns ctx's error; no process gets
// the lock then before a lease is over if the server had just given it to this one.
// It returns ErrHeld if m holds the lock.
func (m *Mutex) Lock(ctx context.Context) (Token, error) {
	if _, err := m.begin(false); err != nil {
		return Token{}, err
	}
	h, err := m.acquire(ctx)
	m.end(h)
	if err != nil {
		return Token{}, err
	}
	return Token{Number: h.number, Lost: h.lost}, nil
}

// Unlock gives the lock back, and waits until the server knows. It returns ErrLost if
// the lease was over before. After any other error the lock is not held either, and
// the server gives it away when the lease is over. It returns ErrNotHeld if m does
// not hold the lock.
func (m *Mutex) Unlock(ctx context.Context) error {
	h, err := m.begin(true)
	if err != nil {
		return err
	}
	defer m.end(nil)
	return h.release(ctx)
}

// acquire makes the key of the lock this holder's.
func (m *Mutex) acquire(ctx context.Context) (*holding, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	watch, err := m.watch(ctx)
	if err != nil {
		return nil, err
	}
	defer watch.Stop()
	owner := []byte(m.o.Owner + " " + nuid.Next()) // no other attempt has this value
	for {
		revision, asked, err := m.create(ctx, owner)
		switch {
		case err == nil:
			return m.hold(owner, revision, asked), nil
		case !kv.Conflict(err):
			if ctx.Err() != nil {
				go m.withdraw(owner)
			}
			return nil, err
		}
		if err := m.deleted(ctx, watch); err != nil {
			return nil, err
		}
	}
}

// watch returns the updates of the key. They last as long as ctx, and not only as long
// as the attempt that begins them.
func (m *Mutex) watch(ctx context.Context) (watch jetstream.KeyWatcher, err error) {
	err = m.store.Do(ctx, func(attempt context.Context) (err error) {
		lasting, end := context.WithCancel(ctx)
		late := context.AfterFunc(attempt, end)
		if watch, err = m.store.Watch(lasting, key, jetstream.UpdatesOnly()); late() && err == nil {
			return nil
		}
		end()
		if attempt.Err() != nil {
			return attempt.Err() // the request or its answer was lost
		}
		return err
	})
	return watch, err
}

// create creates the key with the value owner, and returns its revision and when it
// was asked for. Another holder's key is a conflict. The key may also be there because
// of an attempt whose answer was lost: then its lease is renewed.
func (m *Mutex) create(ctx context.Context, owner []byte) (revision uint64, asked time.Time, err error) {
	perhaps := false // an attempt whose answer was lost
	err = m.store.Do(ctx, func(ctx context.Context) (err error) {
		m.count()
		asked = time.Now()
		if revision, err = m.store.Create(ctx, key, owner); !kv.Conflict(err) || !perhaps {
			perhaps = true
			return err
		}
		mine, got := m.mine(ctx, owner)
		if got != nil || mine == 0 {
			if got != nil {
				return got
			}
			return err
		}
		m.count()
		asked = time.Now()
		revision, err = m.store.Update(ctx, key, owner, mine)
		return err
	})
	return revision, asked, err
}

// mine returns the revision of the key if its value is owner, otherwise 0.
func (m *Mutex) mine(ctx context.Context, owner []byte) (revision uint64, err error) {
	m.count()
	e, err := m.store.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return 0, nil
	case err != nil:
		return 0, err
	case string(e.Value()) != string(owner):
		return 0, nil
	}
	return e.Revision(), nil
}

// withdraw removes the key if an attempt that was given up has created it.
func (m *Mutex) withdraw(owner []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), m.o.Lease)
	defer cancel()
	m.store.Do(ctx, func(ctx context.Context) error { // otherwise the lease ends
		revision, err := m.mine(ctx, owner)
		if err != nil || revision == 0 {
			return err
		}
		return m.store.Delete(ctx, key, jetstream.LastRevision(revision))
	})
}

// deleted waits until the key has been deleted, or has perhaps expired: the server does
// not announce an expiry.
func (m *Mutex) deleted(ctx context.Context, watch jetstream.KeyWatcher) error {
	late := time.After(m.o.Lease / 4)
	updates := watch.Updates()
	for {
		select {
		case e, open := <-updates:
			if !open {
				updates = nil // the server is asked now and then
			}
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

func (m *Mutex) count() {
	if m.o.Requests != nil {
		m.o.Requests.Add(1)
	}
}
