// Package batch extends algorithms for single-threaded nodes to nodes of several
// threads. The waiting threads of a node enter one after the other before the
// node gives the token on. The alien-threads paper closes with this idea: to
// extend other algorithms as Raymond's was extended.
package batch

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/token"
)

// Batch sizes for [Algorithm]: how many threads of a node enter each time the
// node enters.
const (
	Waiting = 0  // the threads that wait at that moment
	Endless = -1 // all threads that come while one is in its critical section; other nodes can starve
)

// The algorithms whose waiting threads enter together.
var (
	RaymondWaiting      = waiting(&token.Raymond)
	SuzukiKasamiWaiting = waiting(&token.SuzukiKasami)
	NaimiTrehelWaiting  = waiting(&token.NaimiTrehel)
)

func waiting(a *distributed.Algorithm) distributed.Algorithm {
	return Algorithm(a, a.Name+"-batch", Waiting)
}

// Bounded returns a with batches of at most b threads, if a is one of these
// algorithms. Otherwise ok is false.
func Bounded(a *distributed.Algorithm, b int) (distributed.Algorithm, bool) {
	for _, of := range []*distributed.Algorithm{&token.Raymond, &token.SuzukiKasami, &token.NaimiTrehel} {
		if a.Name == of.Name+"-batch" {
			return Algorithm(of, a.Name, b), true
		}
	}
	return distributed.Algorithm{}, false
}

// Algorithm returns a under another name, with batches of at most b threads. b is
// at least 1, or it is [Waiting] or [Endless]. With b = 1 the result sends the
// same messages as a.
func Algorithm(a *distributed.Algorithm, name string, b int) distributed.Algorithm {
	of := *a
	of.Name, of.Title = name, a.Title+", in batches"
	of.Source = a.Source + "; extended after the closing idea of Federico Meza, Jorge Pérez, Yadran Eterovic, Implementing Distributed Mutual Exclusion on Multithreaded Environments: The Alien-Threads Approach, section 6"
	of.Cost.Messages = a.Cost.Messages + ", for each batch"
	of.Cost.SyncDelay = a.Cost.SyncDelay + ", or 0 between threads of a node"
	of.New = func(c distributed.Config) ([]distributed.Node, error) {
		if err := c.Check(); err != nil {
			return nil, err
		}
		c.Threads, c.Present = 1, nil // a node is one thread of the algorithm, however many it has
		nodes, err := a.New(c)
		if err != nil {
			return nil, err
		}
		for i, p := range nodes {
			switch p.(type) {
			case distributed.Recoverer, distributed.Stamper, distributed.Holder:
				return nil, fmt.Errorf("%s: batches are of nodes that neither restart nor have timestamps or several locks", a.Name)
			}
			nodes[i] = &node{p: p, most: b}
		}
		return nodes, nil
	}
	return of
}

// node lets its threads share its place in an algorithm for single-threaded nodes.
//
// Source: the rule that ends a batch is that of lock cohorting: Dave Dice,
// Virendra J. Marathe, Nir Shavit, Lock Cohorting: A General Technique for
// Designing NUMA Locks, PPoPP 2012, pp. 247–256.
//
// Messages: the algorithm's.
//
// The algorithm gives mutual exclusion, because at most one thread of the node with the
// permission is in its critical section. The lock is starvation-free if the algorithm is
// and batches are finite: thread number p of its node's queue enters with batch ⌈p/b⌉ at
// the latest, or with batch ⌈p/b⌉+1.
//
//	request of t: append t to queue; if it is alone: ask                  B1
//	the node is in: left := b, or the length of queue; head enters        B2
//	release of t: remove t; left := left − 1                              B3
//	              if queue not empty and left > 0 then head enters        B4
//	              else release; if queue not empty then ask               B5
type node struct {
	p    distributed.Node
	most int
	left int // how many threads of the batch have not left yet; 0 while no process is in its critical section
	// queue has the waiting threads, behind the thread that requests or is in its
	// critical section.
	queue distributed.LocalQueue
}

// act lets the algorithm's node act. If that node gets permission, the head of
// the queue enters.
func (n *node) act(out *distributed.Out, act func(p distributed.Node)) {
	from := len(out.Grants)
	act(n.p)
	for k := range out.Grants[from:] { // B2
		switch n.left = n.most; n.most {
		case Waiting:
			n.left = n.queue.Len()
		case Endless:
			n.left = 1 // always
		}
		out.Grants[from+k] = n.queue.Head()
	}
}

func (n *node) Start(out *distributed.Out) {
	n.act(out, func(p distributed.Node) { p.Start(out) })
}

func (n *node) Receive(m distributed.Message, out *distributed.Out) {
	n.act(out, func(p distributed.Node) { p.Receive(m, out) })
}

func (n *node) Expire(t distributed.TimerID, out *distributed.Out) {
	n.act(out, func(p distributed.Node) { p.Expire(t, out) })
}

func (n *node) Request(t distributed.Thread, out *distributed.Out) {
	if n.queue.Add(t) { // B1
		n.ask(out)
	}
}

func (n *node) ask(out *distributed.Out) {
	n.act(out, func(p distributed.Node) { p.Request(0, out) })
}

func (n *node) Release(_ distributed.Thread, out *distributed.Out) {
	more := n.queue.Remove()
	if n.most != Endless {
		n.left-- // B3
	}
	if more && n.left > 0 { // B4
		out.Grant(n.queue.Head())
		return
	}
	n.left = 0
	n.act(out, func(p distributed.Node) { p.Release(0, out) }) // B5
	if more {
		n.ask(out)
	}
}

// Unwrap implements [distributed.Wrapper].
func (n *node) Unwrap() distributed.Machine { return n.p }

func (n *node) String() string {
	return fmt.Sprintf("queue=%v left=%d; %v", n.queue.Threads(), n.left, n.p)
}
