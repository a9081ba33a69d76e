package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"shmbench/distributed"
)

// A Permission lets a thread be in its critical section.
type Permission struct {
	Fence   distributed.Fence
	Revoked <-chan struct{} // closed when the node takes the permission back, and the thread must leave

	// Local is the part of the wait that the request and the permission spent
	// between the thread and its node. It is 0 if Options have no clock.
	Local time.Duration

	granted int64
}

// Options configure a Member.
type Options struct {
	// Tick is the length of a timer's tick, above 0.
	Tick time.Duration

	// Recover says that the node was in the system before and has crashed. The node
	// then recovers instead of starting. Kept is the state that the node kept then,
	// if it is a [distributed.Keeper].
	Recover bool
	Kept    []int64

	// Keep writes the kept state of a [distributed.Keeper] to stable storage. If
	// Keep returns an error, the node ends.
	Keep func(kept []int64) error

	// Clock, if not nil, reads in ns a clock that all nodes share. Delay gets the kind
	// of each message, and the time from the sender's event to the receiver's.
	Clock func() int64
	Delay func(distributed.Kind, time.Duration)
}

// inbox is how many events may wait for a Member. Beyond it, messages from the
// network wait outside.
const inbox = 1024

// A Member is one node of a system whose other nodes are elsewhere.
type Member struct {
	host   *host
	done   chan struct{}
	ended  chan struct{} // the node's goroutine has
	close  sync.Once
	broken error // once done is closed
}

// Join runs node id of a in the system c. Its messages go over t, and the member
// closes t when it ends. Join returns an error if a cannot run c, or if t or o is
// not usable.
func Join(a *distributed.Algorithm, c distributed.Config, id distributed.ID, t distributed.Transport, o Options) (*Member, error) {
	if o.Tick <= 0 {
		return nil, fmt.Errorf("a tick of %v: it must be above 0", o.Tick)
	}
	nodes, err := a.New(c)
	if err != nil {
		return nil, err
	}
	if id < 0 || int(id) >= len(nodes) {
		return nil, fmt.Errorf("there is no node %d among 0..%d", id, len(nodes)-1)
	}
	if _, recovers := distributed.Unwrapped(nodes[id]).(distributed.Recoverer); o.Recover && !recovers {
		return nil, fmt.Errorf("%s takes no restarted node back", a.Name)
	}
	m := &Member{done: make(chan struct{}), ended: make(chan struct{})}
	m.host = newHost(id, nodes[id], c.Nodes, c.Threads, o.Tick, t, m.done)
	m.host.clock, m.host.delay = o.Clock, o.Delay
	if err := m.host.stable(o); err != nil {
		return nil, err
	}
	err = t.Start(func(p distributed.Parcel) { m.host.box.putWithin(inbox, event{kind: message, parcel: p}) }, m.fail)
	if err != nil {
		return nil, err
	}
	go m.run()
	return m, nil
}

func (m *Member) run() {
	defer close(m.ended)
	defer func() {
		// A message from outside that makes the node panic must not end the program.
		if p := recover(); p != nil {
			m.fail(m.host.broken(p))
		}
	}()
	m.host.run()
}

// fail ends the node because of err.
func (m *Member) fail(err error) {
	m.close.Do(func() {
		m.broken = err
		close(m.done)
		m.host.box.close()
	})
}

// Close ends the node and its transport.
func (m *Member) Close() error {
	m.fail(errClosed)
	<-m.ended
	return m.host.transport.Close()
}

// Done returns a channel that is closed when the node has ended with the error
// Err.
func (m *Member) Done() <-chan struct{} { return m.done }

// Err returns why the node has ended. It returns nil before that, or after Close.
func (m *Member) Err() error {
	select {
	case <-m.done:
	default:
		return nil
	}
	if errors.Is(m.broken, errClosed) {
		return nil
	}
	return m.broken
}

// Lock makes a request for thread t and waits until it may enter. It returns an
// error if ctx ends or if the node has ended. A request cannot be withdrawn:
// after an error the thread may not request again.
func (m *Member) Lock(ctx context.Context, t distributed.Thread) (Permission, error) {
	p, err := m.host.lock(ctx, t)
	if errors.Is(err, errClosed) && m.broken != nil {
		err = m.broken
	}
	return p, err
}

// Unlock releases the lock of thread t, which must hold it.
func (m *Member) Unlock(t distributed.Thread) { m.host.unlock(t) }

// Sent returns how many messages of each kind the node has sent so far.
func (m *Member) Sent() distributed.Tally { return m.host.tally() }

// Taken returns how many messages the node has handled, after it has carried out what it was told before
// the call, such as a release. Sent already includes what the node has sent for all of this.
func (m *Member) Taken() int64 {
	m.look(func(distributed.Node) {})
	return m.host.taken.Load()
}

// State returns the node's state on one line, as its String method prints it. It
// returns "" if the node has ended.
func (m *Member) State() string {
	state := make(chan string, 1)
	m.look(func(n distributed.Node) { state <- n.String() })
	select {
	case s := <-state:
		return s
	default:
		return ""
	}
}

// look calls at with the node, between two of its events and after all that came before. It does nothing if the
// node has ended.
func (m *Member) look(at func(distributed.Node)) {
	looked := make(chan struct{})
	m.host.box.put(event{kind: look, look: func(n distributed.Node) { at(n); close(looked) }})
	select {
	case <-looked:
	case <-m.done:
	}
}
