package token

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// Mueller is the specification of [mueller].
var Mueller = distributed.Algorithm{
	Name:   "mueller",
	Title:  "Mueller's path reversal for many threads a node",
	Source: "Frank Mueller, Decentralized Synchronization for Multi-Threaded DSM, Workshop on Software Distributed Shared Memory, 2000",
	Family: distributed.TokenBased,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages:   "O(log N) on average; 0 to N",
		Idle:       NaimiTrehel.Cost.Idle,
		Busy:       NaimiTrehel.Cost.Busy,
		Throughput: NaimiTrehel.Cost.Throughput,
		Lone:       NaimiTrehel.Cost.Lone,
		Dearest:    NaimiTrehel.Cost.Dearest,
		SyncDelay:  "1, or 0 between threads of a node",
		Sync:       NaimiTrehel.Cost.Sync, // of nodes of one thread
	},
	Invariants: []distributed.Invariant{
		distributed.OneToken("after Naimi, Tréhel and Arnold 1996", func(v *distributed.View, i distributed.ID) bool {
			return v.Inside[i] || distributed.NodeOf[*mueller](v, i).idle
		}),
		distributed.OwnerTree("after Naimi, Tréhel and Arnold 1996", func(v *distributed.View, i distributed.ID) distributed.ID {
			return distributed.NodeOf[*mueller](v, i).owner
		}, requester),
	},
	Tree:  true,
	Forms: distributed.Plain(distributed.Request, distributed.Token),
	New:   newMueller,
}

// mueller is path reversal in which each thread's request is its own element
// of the one distributed queue: a node has one probable owner and a next for
// each of its threads. Threads of one node that ask one after the other, with
// no request from elsewhere between them, stand side by side in the queue and
// hand over without a message.
//
// Source: Mueller 2000, as Meza, Pérez and Eterovic describe it (The Alien-Threads
// Approach, sections 4.2 and 5), on top of Naimi, Tréhel and Arnold 1996. Mueller's own
// text was not available: this is a reading: requests of one node do not wait for each
// other.
//
// Messages: Request (Who, Thread: the requester), Token (Thread: its receiver).
//
// Mutual exclusion: there is one token. No process starves, because each request
// ends at a root, behind the last thread there that asked, and the queue is
// served in its order. Messages may overtake each other.
//
//	request(t):   if owner = nil                                         R1
//	              then if the token is idle here then enter              R2
//	                   else next[last] := (i, t)                         R3
//	              else send REQUEST(i, t) to owner; owner := nil         R4
//	              last := t                                              R5
//	REQUEST(k, u): if owner = nil                                        Q1
//	              then if the token is idle here then send TOKEN(u) to k Q2
//	                   else next[last] := (k, u)                         Q3
//	              else send REQUEST(k, u) to owner                       Q4
//	              owner := k                                             Q5
//	TOKEN(t):     enter as t                                             T1
//	release(t):   if next[t] = nil then the token is idle here           L1
//	              else pass the token to next[t]; next[t] := nil         L2
type mueller struct {
	distributed.Quiet
	i     distributed.ID
	owner distributed.ID     // None is nil: the queue's last element is here
	last  distributed.Thread // the thread here that asked last
	idle  bool               // the token is here and no process is inside
	next  []successor        // by thread
}

// successor is who gets the token after a thread.
type successor struct {
	node   distributed.ID // None: no node yet
	thread distributed.Thread
}

var nobody = successor{node: distributed.None}

func newMueller(c distributed.Config) ([]distributed.Node, error) {
	return c.BuildTree(func(i, parent distributed.ID) distributed.Node {
		p := &mueller{i: i, owner: parent, next: slices.Repeat([]successor{nobody}, c.Threads)}
		if parent == i {
			p.owner, p.idle = distributed.None, true
		}
		return p
	})
}

func (p *mueller) Request(t distributed.Thread, out *distributed.Out) {
	switch {
	case p.owner != distributed.None: // R4
		out.Send(distributed.Message{Kind: distributed.Request, From: p.i, To: p.owner, Who: p.i, Thread: t})
		p.owner = distributed.None
	case p.idle: // R2
		p.idle = false
		out.Grant(t)
	default: // R3
		p.next[p.last] = successor{p.i, t}
	}
	p.last = t // R5
}

func (p *mueller) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request:
		switch {
		case p.owner != distributed.None: // Q4
			out.Send(distributed.Message{Kind: distributed.Request, From: p.i, To: p.owner, Who: m.Who, Thread: m.Thread})
		case p.idle: // Q2
			p.idle = false
			out.Send(distributed.Message{Kind: distributed.Token, From: p.i, To: m.Who, Thread: m.Thread})
		default: // Q3
			p.next[p.last] = successor{m.Who, m.Thread}
		}
		p.owner = m.Who // Q5
	case distributed.Token:
		out.Grant(m.Thread) // T1
	}
}

func (p *mueller) Release(t distributed.Thread, out *distributed.Out) {
	next := p.next[t]
	p.next[t] = nobody
	switch next.node {
	case distributed.None: // L1
		p.idle = true
	case p.i: // L2
		out.Grant(next.thread)
	default:
		out.Send(distributed.Message{Kind: distributed.Token, From: p.i, To: next.node, Thread: next.thread})
	}
}

func (p *mueller) String() string {
	return fmt.Sprintf("owner=%d last=%d idle=%v next=%v", p.owner, p.last, p.idle, p.next)
}
