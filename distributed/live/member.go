package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"shmbench/distributed"
)

// A Permission lets a thread be inside.
type Permission struct {
	Fence   distributed.Fence
	Revoked <-chan struct{} // closed when the permission is taken back and the thread must leave

	// Local is how much of the wait was the way from the thread to its node and
	// back, where Options have a clock.
	Local time.Duration

	granted int64
}

// Options are how a Member runs.
type Options struct {
	// Tick is the length of a timer's tick, above 0.
	Tick time.Duration

	// Recover says that the node was in the system before and has crashed: it
	// recovers instead of starting. Kept is what it had kept then, of a node that is
	// a [distributed.Keeper].
	Recover bool
	Kept    []int64

	// Keep writes what a [distributed.Keeper] keeps to stable storage. If that fails
	// the node ends.
	Keep func(kept []int64) error

	// Clock, if there is one, is a clock in ns that all nodes share. Delay gets the kind
	// of each message, and the time from the sender's event to the receiver's.
	Clock func() int64
	Delay func(distributed.Kind, time.Duration)
}

// inbox is how many events may wait for a Member before what the network brings
// has to wait outside.
const inbox = 1024

// A Member is one node of a system whose other nodes are elsewhere.
type Member struct {
	host   *host
	done   chan struct{}
	ended  chan struct{} // the node's goroutine has
	close  sync.Once
	broken error // once done is closed
}

// Join runs node id of a in the system c. Its messages go over t, which is closed
// with the member.
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
	if _, recovers := nodes[id].(distributed.Recoverer); o.Recover && !recovers {
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
		// What a message from outside can do to a node is no reason to end the program.
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

// Done is closed when the node has ended, because of Err.
func (m *Member) Done() <-chan struct{} { return m.done }

// Err returns why the node has ended; nil while it has not, or if it was closed.
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

// Lock lets thread t ask and waits until it may enter. A request cannot be
// withdrawn: after an error the thread may not ask again.
func (m *Member) Lock(ctx context.Context, t distributed.Thread) (Permission, error) {
	p, err := m.host.lock(ctx, t)
	if errors.Is(err, errClosed) && m.broken != nil {
		err = m.broken
	}
	return p, err
}

// Unlock says that thread t, which Lock let enter, has left.
func (m *Member) Unlock(t distributed.Thread) { m.host.unlock(t) }

// Sent returns how many messages of each kind the node has sent so far.
func (m *Member) Sent() (byKind [distributed.Kinds]int64) {
	for k := range byKind {
		byKind[k] = m.host.sent[k].Load()
	}
	return byKind
}

// Taken returns how many messages the node has taken so far, what it sent in
// answer included in Sent.
func (m *Member) Taken() int64 { return m.host.taken.Load() }

// State returns the node's state in a line, as its String prints it; "" if it
// has ended.
func (m *Member) State() string {
	state := make(chan string, 1)
	m.host.box.put(event{kind: look, look: func(n distributed.Node) { state <- n.String() }})
	select {
	case s := <-state:
		return s
	case <-m.done:
		return ""
	}
}
