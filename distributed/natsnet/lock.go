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

// DefaultLease is the lease if Options do not set one. ShortestLease is the shortest
// lease that JetStream supports.
const (
	DefaultLease  = 10 * time.Second
	ShortestLease = 100 * time.Millisecond
)

// Options configure a lock. All processes must open a lock with the same lease.
type Options struct {
	// Lease is how long a holder that does not renew the lock keeps it; 0 means
	// DefaultLease.
	Lease time.Duration

	// Owner is a readable name of the holder. If it is "", the name has the
	// machine and the process.
	Owner string

	// Store says how the server stores the lock. By default the
	// server writes the lock to the disk. So a restart of the server
	// loses neither the lock nor the number of its tokens.
	Store kv.Options

	// Requests, if not nil, counts the requests to the server.
	Requests *atomic.Int64
}

// The errors of a lock, in addition to those of the context and of the server.
var (
	// ErrLost says that the lease was over before Unlock. Another process may have
	// held the lock since then.
	ErrLost = errors.New("the lease was over before the lock was given back")

	// ErrHeld says that this Mutex already holds the lock, or waits for it.
	ErrHeld = errors.New("this mutex is in use")

	// ErrNotHeld says that this Mutex does not hold the lock.
	ErrNotHeld = errors.New("this mutex does not hold the lock")

	// ErrGone says that the server has lost the store of the lock. The numbers of
	// tokens start again.
	ErrGone = kv.ErrGone
)

// A Token is the permission that Lock returns.
type Token struct {
	// Number is greater than the number of every earlier permission.
	Number uint64

	// Lost is closed shortly before the lease may be over. The holder must then
	// stop.
	Lost <-chan struct{}
}

// Context returns a context that ends with parent, or shortly before the lease
// may be over. The caller must call cancel at the end of its work.
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

// A Mutex is a lock from the view of one holder at a time. Several goroutines may
// call its methods at once.
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

// Open opens the lock with the given name on a server, and creates it if it does not
// exist. A name has 1 to 200 letters, digits, "-" and "_". Open returns an error if
// the name or o is not valid, if ctx ends, or if the server refuses.
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

// Trouble returns why m is repeating a request to the server, or nil if it
// repeats none.
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

// Lock waits until this process has the lock, even while the server is unreachable.
// If ctx ends earlier, Lock gives up and returns ctx's error. If the server had just
// given the lock to this process, no other process may get it before the lease is
// over. Lock returns ErrHeld if m already holds the lock.
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

// Unlock releases the lock, and waits until the server knows. It returns ErrLost if
// the lease was over earlier, and ErrNotHeld if m does not hold the lock. After any
// other error m does not hold the lock either, and the server gives the lock away at
// the end of the lease.
func (m *Mutex) Unlock(ctx context.Context) error {
	h, err := m.begin(true)
	if err != nil {
		return err
	}
	defer m.end(nil)
	return h.release(ctx)
}

// acquire makes this holder the owner of the lock's key.
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

// watch returns the updates of the key. The updates continue until ctx ends, and not
// only until the attempt that started them ends.
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

// create creates the key with the value owner. It returns the key's revision and the
// time of the request. A key of another holder is a conflict. The key may also exist
// because of an attempt whose answer was lost; then create renews its lease.
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

// withdraw removes the key if an abandoned attempt has created it.
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

// deleted waits until the key has been deleted, or may have expired. The server does
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
