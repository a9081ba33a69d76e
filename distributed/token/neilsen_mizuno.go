package token

import (
	"fmt"

	"shmbench/distributed"
)

// NeilsenMizuno is the specification of [neilsenMizuno].
var NeilsenMizuno = distributed.Algorithm{
	Name:   "neilsen-mizuno",
	Title:  "Neilsen and Mizuno's directed tree",
	Source: "Mitchell L. Neilsen, Masaaki Mizuno, A DAG-Based Algorithm for Distributed Mutual Exclusion, Proc. 11th ICDCS, IEEE, 1991, pp. 354–360",
	Family: distributed.TokenBased,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages: "0 or 2 to D+1, D the tree's diameter; 3 on a star",
		Idle: func(c distributed.Config) (float64, float64) {
			return 1, float64(distributed.Diameter(c.Tree()) + 1)
		},
		Busy: func(c distributed.Config) (float64, float64) {
			return 2, float64(distributed.Diameter(c.Tree()) + 1)
		},
		Lone: func(c distributed.Config) (float64, float64) {
			return 0, float64(distributed.Diameter(c.Tree()) + 1)
		},
		SyncDelay: "1",
		Sync:      func(distributed.Config) (float64, float64) { return 1, 1 },
		Bypass:    func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{
		distributed.OneToken(neilsenMizunoSource, func(v *distributed.View, i distributed.ID) bool {
			return distributed.NodeOf[*neilsenMizuno](v, i).holding || v.Inside[i]
		}),
		distributed.OwnerTree(neilsenMizunoSource, func(v *distributed.View, i distributed.ID) distributed.ID {
			return distributed.NodeOf[*neilsenMizuno](v, i).last
		}, func(m distributed.Message) distributed.ID { return m.From }),
	},
	Tree:  true,
	Forms: distributed.Plain(distributed.Request, distributed.Token),
	New:   newNeilsenMizuno,
}

const neilsenMizunoSource = "Neilsen and Mizuno 1991"

// neilsenMizuno keeps the nodes in a tree of fixed edges that point towards
// the last to have asked, a sink. A request follows them and turns them round;
// at the sink it becomes the sink's next. The token goes straight to the
// requester, and is empty.
//
// Source: Neilsen and Mizuno 1991, as M. Ben-Ari and Jan Lönnberg have it in the
// Ada programs to Ben-Ari's Principles of Concurrent and Distributed
// Programming, 2nd edition, Addison-Wesley, 2006, where last is parent and next
// is deferred.
//
// Messages: Request (Who: the requester; From: the neighbor that it comes
// from), Token.
//
// Mutual exclusion: there is one token. No process starves, because each request
// ends at a sink, which makes the requester its next, and the queue of those is
// served in its order. Messages may overtake each other.
//
//	request:       if holding then holding := false; enter                R1
//	               else send REQUEST(i) to last; last := nil; wait        R2
//	REQUEST(o)     if last = nil                                          Q1
//	from f:        then if holding                                        Q2
//	                    then holding := false; send TOKEN to o            Q3
//	                    else next := o                                    Q4
//	               else send REQUEST(o) to last                           Q5
//	               last := f                                              Q6
//	TOKEN:         enter                                                  T1
//	release:       if next ≠ nil then send TOKEN to next; next := nil     L1
//	               else holding := true                                   L2
//
// Deviations: none; the threads of a node share a local queue.
type neilsenMizuno struct {
	distributed.Quiet
	i       distributed.ID
	last    distributed.ID // None is nil
	next    distributed.ID
	holding bool
	local   distributed.LocalQueue
}

func newNeilsenMizuno(c distributed.Config) ([]distributed.Node, error) {
	return c.BuildTree(func(i, parent distributed.ID) distributed.Node {
		p := &neilsenMizuno{i: i, last: parent, next: distributed.None}
		if parent == i {
			p.last, p.holding = distributed.None, true
		}
		return p
	})
}

func (p *neilsenMizuno) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
	}
}

func (p *neilsenMizuno) request(out *distributed.Out) {
	if p.holding { // R1
		p.holding = false
		out.Grant(p.local.Head())
		return
	}
	p.ask(p.i, out) // R2
	p.last = distributed.None
}

func (p *neilsenMizuno) ask(o distributed.ID, out *distributed.Out) {
	out.Send(distributed.Message{Kind: distributed.Request, From: p.i, To: p.last, Who: o})
}

func (p *neilsenMizuno) pass(o distributed.ID, out *distributed.Out) {
	out.Send(distributed.Message{Kind: distributed.Token, From: p.i, To: o})
}

func (p *neilsenMizuno) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request:
		switch {
		case p.last != distributed.None: // Q5
			p.ask(m.Who, out)
		case p.holding: // Q3
			p.holding = false
			p.pass(m.Who, out)
		default: // Q4
			p.next = m.Who
		}
		p.last = m.From // Q6
	case distributed.Token:
		out.Grant(p.local.Head()) // T1
	}
}

func (p *neilsenMizuno) Release(_ distributed.Thread, out *distributed.Out) {
	if p.next != distributed.None { // L1
		p.pass(p.next, out)
		p.next = distributed.None
	} else {
		p.holding = true // L2
	}
	if p.local.Remove() {
		p.request(out)
	}
}

func (p *neilsenMizuno) String() string {
	return fmt.Sprintf("last=%d next=%d holding=%v threads=%v", p.last, p.next, p.holding, p.local.Threads())
}
