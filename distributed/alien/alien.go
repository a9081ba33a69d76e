// Package alien has the alien-threads algorithms: mutual exclusion for nodes with
// many threads. A node asks for the token by waking a thread that acts on its
// behalf, on the node that is presumed to have the token.
package alien

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// node is a node of any of the alien-threads algorithms.
//
// Source: Federico Meza, Jorge Pérez, Yadran Eterovic, Implementing
// Distributed Mutual Exclusion on Multithreaded Environments: The
// Alien-Threads Approach, sections 2.3 and 2.4.
//
// Messages: Signal (Who: the home node for which an alien thread is to wake),
// Token (Flag: the return request rides along).
//
// Mutual exclusion: there is one token, and only its node grants. In the original the
// token comes back by the way that the request went. Each queue is
// first-come-first-served and has an alien thread at most once, so no thread starves. In
// the variant, a request that finds no local request to join goes on behind the token.
// The variant relies on FIFO channels: with these, a later request on the same way stays
// behind. Without them, a request can follow the token forever while others keep moving
// it. The original does not need the FIFO that the paper supposes.
//
//	Acquire:  numLocal++                                                     A1
//	          if probOwner ≠ pid and not tokenRequested                      A2
//	          then signal alien on probOwner; tokenRequested := true; wait   A3
//	          else if numLocal > 1 then wait                                 A4
//	token:    probOwner := pid; tokenRequested := false                      T1
//	          wake the thread at the head                                    T2
//	Release:  numLocal--; wake the next local thread, user or alien          R1
//	alien on host for home, when signaled:
//	          variant: if probOwner ≠ pid and numLocal = 0
//	          then signal alien for home on probOwner; done                  V1
//	          Acquire; wake the waiting thread at home: the token goes there S1
//	          probOwner := home; numLocal--                                  S2
//	          if numLocal > 0                                                S3
//	          then tokenRequested := true; signal alien for host on home     S4
//
// Deviation: the paper has T1 inside Acquire, after the wait of A3. A node that gives the
// token away while threads wait at A4 asks for it back at S4. The token then wakes a
// thread that skips T1, so tokenRequested stays set. Once the token has left for good,
// the next thread to request enters without it. Here T1 is done whichever thread is
// woken. The explorer refutes either half of T1 without the other (see the mutants).
// [V1AsPrinted] and [V2AsPrinted] follow the paper to the letter.
type node struct {
	distributed.Quiet
	rules

	pid            distributed.ID
	probOwner      distributed.ID
	tokenRequested bool
	numLocal       int // threads, user and alien, that wait or are inside
	queue          fifo.Queue[thread]
}

// rules distinguishes the algorithms.
type rules struct {
	variant   bool // V1
	piggyback bool // S4's signal rides on the token
	asPrinted bool // T1 as in the paper
}

// thread is a waiting thread: a user thread, or the alien thread of a home.
type thread struct {
	user  distributed.Thread
	home  distributed.ID // None for a user thread
	asker bool           // waits at A3, not at A4; it matters only as printed
}

func (r rules) new(c distributed.Config) ([]distributed.Node, error) {
	return c.BuildTree(func(i, parent distributed.ID) distributed.Node {
		return &node{rules: r, pid: i, probOwner: parent}
	})
}

func (p *node) Request(t distributed.Thread, out *distributed.Out) {
	p.acquire(thread{user: t, home: distributed.None}, out)
}

func (p *node) acquire(th thread, out *distributed.Out) {
	p.numLocal++                                   // A1
	if p.probOwner != p.pid && !p.tokenRequested { // A2
		p.tokenRequested = true // A3
		out.Send(distributed.Message{Kind: distributed.Signal, From: p.pid, To: p.probOwner, Who: p.pid})
		th.asker = p.asPrinted
		p.queue.Push(th)
	} else if p.numLocal > 1 { // A4
		p.queue.Push(th)
	} else {
		p.run(th, out)
	}
}

// run lets th continue with the token, into its critical section or home.
func (p *node) run(th thread, out *distributed.Out) {
	if th.home == distributed.None {
		out.Grant(th.user)
		return
	}
	p.numLocal-- // S2
	p.probOwner = th.home
	back := p.numLocal > 0                                                                                      // S3
	out.Send(distributed.Message{Kind: distributed.Token, From: p.pid, To: th.home, Flag: back && p.piggyback}) // S1
	if back {                                                                                                   // S4
		p.tokenRequested = true
		if !p.piggyback {
			out.Send(distributed.Message{Kind: distributed.Signal, From: p.pid, To: th.home, Who: p.pid})
		}
	}
}

func (p *node) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Signal:
		if p.variant && p.probOwner != p.pid && p.numLocal == 0 { // V1
			out.Send(distributed.Message{Kind: distributed.Signal, From: p.pid, To: p.probOwner, Who: m.Who})
			return
		}
		p.acquire(thread{home: m.Who}, out)
	case distributed.Token:
		p.token(m, out)
	}
}

func (p *node) token(m distributed.Message, out *distributed.Out) {
	if !p.asPrinted || p.queue.Len() > 0 && p.queue.Head().asker {
		p.probOwner, p.tokenRequested = p.pid, false // T1
	}
	if m.Flag {
		p.numLocal++
		p.queue.Push(thread{home: m.From})
	}
	if p.queue.Len() == 0 {
		return
	}
	p.run(p.queue.Pop(), out) // T2
}

func (p *node) Release(_ distributed.Thread, out *distributed.Out) {
	p.numLocal-- // R1
	if p.queue.Len() > 0 {
		p.run(p.queue.Pop(), out)
	}
}

func (p *node) String() string {
	queue := make([]string, p.queue.Len())
	for i := range queue {
		if th := p.queue.At(i); th.home == distributed.None {
			queue[i] = fmt.Sprintf("thread %d", th.user)
		} else {
			queue[i] = fmt.Sprintf("alien of %d", th.home)
		}
		if p.queue.At(i).asker {
			queue[i] += " (asked)"
		}
	}
	return fmt.Sprintf("probOwner=%d tokenRequested=%v numLocal=%d queue=%v", p.probOwner, p.tokenRequested, p.numLocal, queue)
}
