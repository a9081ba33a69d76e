// Package live runs a message-passing algorithm for real in one process: each
// node is a goroutine, messages go over channels, and every thread has a
// sync.Locker. The nodes are the very state machines that distributed/sim measures and
// distributed/explore checks.
//
// It is a demonstration and a test bed: inside one process a sync.Mutex does
// the same for a hundredth of the price. See BenchmarkDist.
package live

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/distributed"
)

// A System is the running nodes of one algorithm. The messages of a pair of
// nodes arrive in the order of sending, none is lost, and no node crashes.
type System struct {
	hosts []*host
	done  chan struct{}
	close sync.Once
	wg    sync.WaitGroup
	sent  atomic.Int64
}

// Start builds the nodes of a for the system c and runs them until Close. A
// timer's tick is tick long, which must be above 0 and should exceed what it
// takes a busy machine to pass a message on.
func Start(a *distributed.Algorithm, c distributed.Config, tick time.Duration) (*System, error) {
	if tick <= 0 {
		return nil, fmt.Errorf("a tick of %v: it must be above 0", tick)
	}
	nodes, err := a.New(c)
	if err != nil {
		return nil, err
	}
	s := &System{hosts: make([]*host, len(nodes)), done: make(chan struct{})}
	for i, node := range nodes {
		s.hosts[i] = newHost(s, distributed.ID(i), node, c.Threads, tick)
	}
	for _, h := range s.hosts {
		s.wg.Go(h.run)
	}
	return s, nil
}

// Close stops the nodes and waits for them. Threads must not hold the lock or
// wait for it then.
func (s *System) Close() {
	s.close.Do(func() { close(s.done) })
	s.wg.Wait()
}

// Messages returns how many messages the nodes have sent so far.
func (s *System) Messages() int64 { return s.sent.Load() }

// Locker returns the handle of thread t of the given node. One goroutine at a
// time may use it: two that share a handle are one thread. It panics if there
// is no such thread.
func (s *System) Locker(node distributed.ID, t distributed.Thread) sync.Locker {
	if node < 0 || int(node) >= len(s.hosts) {
		panic(fmt.Sprintf("live: there is no node %d among 0..%d", node, len(s.hosts)-1))
	}
	h := s.hosts[node]
	if t < 0 || int(t) >= len(h.granted) {
		panic(fmt.Sprintf("live: there is no thread %d among 0..%d", t, len(h.granted)-1))
	}
	return &handle{host: h, thread: t}
}

// handle is one thread's sync.Locker.
type handle struct {
	host   *host
	thread distributed.Thread
	held   bool
}

// Lock waits until the thread may enter. It panics when the handle holds the
// lock already or the system is closed.
func (l *handle) Lock() {
	if l.held {
		panic(fmt.Sprintf("live: node %d thread %d locks what it holds", l.host.id, l.thread))
	}
	l.host.post(event{kind: request, thread: l.thread})
	select {
	case <-l.host.granted[l.thread]:
		l.held = true
	case <-l.host.system.done:
		panic("live: lock of a system that is closed")
	}
}

// Unlock leaves. It panics when the handle does not hold the lock.
func (l *handle) Unlock() {
	if !l.held {
		panic(fmt.Sprintf("live: node %d thread %d unlocks what it does not hold", l.host.id, l.thread))
	}
	l.held = false
	l.host.post(event{kind: release, thread: l.thread})
}
