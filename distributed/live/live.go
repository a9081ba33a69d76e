// Package live runs a message-passing algorithm for real. The nodes are the same
// state machines that distributed/sim measures and distributed/explore checks.
//
// A [System] has all nodes in one process. Each node is a goroutine with a mailbox,
// and every thread has a sync.Locker. A System is for demonstrations and tests:
// inside one process, a sync.Mutex costs about a hundredth of the time. See
// BenchmarkDist.
//
// A [Member] is one node of a system whose other nodes are elsewhere, over a
// [distributed.Transport].
package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/several"
)

// A System runs all nodes of one algorithm. The messages of a pair of nodes
// arrive in the order of sending, none is lost, and no node crashes.
type System struct {
	hosts     []*host
	resources int
	done      chan struct{}
	close     sync.Once
	wg        sync.WaitGroup
}

// Start builds the nodes of a for the system c and runs them until Close. A tick
// of a timer lasts tick, which must be above 0. It should exceed the time that a
// busy machine takes to pass a message on. Start returns an error if a gives
// permissions with a lease, or if a cannot run c.
func Start(a *distributed.Algorithm, c distributed.Config, tick time.Duration) (*System, error) {
	if tick <= 0 {
		return nil, fmt.Errorf("a tick of %v: it must be above 0", tick)
	}
	if a.Lease {
		return nil, fmt.Errorf("%s takes permissions back: no goroutine leaves a critical section because it is told to", a.Name)
	}
	nodes, err := a.New(c)
	if err != nil {
		return nil, err
	}
	s := &System{hosts: make([]*host, len(nodes)), resources: 1, done: make(chan struct{})}
	for i, node := range nodes {
		s.hosts[i] = newHost(distributed.ID(i), node, c.Nodes, c.Threads, tick, inProcess{s}, s.done)
	}
	for _, h := range s.hosts {
		s.wg.Go(h.run)
	}
	return s, nil
}

// StartResources starts a system whose threads lock one or more of the resources, numbered
// from 0. A separate system of algorithm a guards each resource. StartResources returns an
// error under the same conditions as Start, or if there are too many resources.
func StartResources(a *distributed.Algorithm, c distributed.Config, resources int, tick time.Duration) (*System, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if resources < 1 || resources > distributed.MaxThreads/c.Threads {
		return nil, fmt.Errorf("%d resources for %d threads a node: 1 to %d", resources, c.Threads, distributed.MaxThreads/c.Threads)
	}
	c.Threads *= resources // each may wait for any of them: see LockerOf
	s, err := Start(several.Algorithm(a, resources, func(_ distributed.ID, t distributed.Thread) [][]uint16 {
		return [][]uint16{{uint16(int(t) % resources)}}
	}), c, tick)
	if err == nil {
		s.resources = resources
	}
	return s, err
}

// Close stops the nodes and waits for them. At that time no thread may hold the
// lock or wait for it.
func (s *System) Close() {
	s.close.Do(func() {
		close(s.done)
		for _, h := range s.hosts {
			h.box.close()
		}
	})
	s.wg.Wait()
}

// Messages returns how many messages the nodes have sent so far.
func (s *System) Messages() (sent int64) {
	for _, h := range s.hosts {
		sent += h.tally().Total()
	}
	return sent
}

// Locker returns the handle of thread t of the given node, for resource 0. Only
// one goroutine at a time may use the handle, because two goroutines that share
// it count as one thread. Locker panics if there is no such thread.
func (s *System) Locker(node distributed.ID, t distributed.Thread) sync.Locker {
	return s.LockerOf(node, t, 0)
}

// LockerOf is like Locker for the given resource. A thread may hold one resource
// and lock another. To avoid deadlock, let all threads lock resources in
// ascending order.
func (s *System) LockerOf(node distributed.ID, t distributed.Thread, resource int) sync.Locker {
	if resource < 0 || resource >= s.resources {
		panic(fmt.Sprintf("live: there is no resource %d among 0..%d", resource, s.resources-1))
	}
	if node < 0 || int(node) >= len(s.hosts) {
		panic(fmt.Sprintf("live: there is no node %d among 0..%d", node, len(s.hosts)-1))
	}
	h := s.hosts[node]
	if threads := len(h.threads) / s.resources; t < 0 || int(t) >= threads {
		panic(fmt.Sprintf("live: there is no thread %d among 0..%d", t, threads-1))
	}
	return &handle{host: h, thread: t*distributed.Thread(s.resources) + distributed.Thread(resource)}
}

// handle is one thread's sync.Locker.
type handle struct {
	host   *host
	thread distributed.Thread
	held   bool
}

// Lock waits until the thread may enter. It panics if the handle already holds
// the lock or if the system is closed.
func (l *handle) Lock() {
	if l.held {
		panic(fmt.Sprintf("live: node %d thread %d locks what it holds", l.host.id, l.thread))
	}
	if _, err := l.host.lock(context.Background(), l.thread); err != nil {
		panic("live: " + err.Error())
	}
	l.held = true
}

// Unlock releases the lock. It panics if the handle does not hold the lock.
func (l *handle) Unlock() {
	if !l.held {
		panic(fmt.Sprintf("live: node %d thread %d unlocks what it does not hold", l.host.id, l.thread))
	}
	l.held = false
	l.host.unlock(l.thread)
}
