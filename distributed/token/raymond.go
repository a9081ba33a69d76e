package token

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// Raymond is the specification of [raymond].
var Raymond = distributed.Algorithm{
	Name:   "raymond",
	Title:  "Raymond's tree",
	Source: "Kerry Raymond, A Tree-Based Algorithm for Distributed Mutual Exclusion, ACM TOCS 7(1), 1989, pp. 61–77",
	Family: distributed.TokenBased,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages: "up to 2D, D the tree's diameter: O(log N); about 4 at full load",
		Idle: func(c distributed.Config) (float64, float64) {
			return 1, float64(2 * distributed.Diameter(c.Tree()))
		},
		Busy: func(c distributed.Config) (float64, float64) { return 2 * float64(c.Nodes-1) / float64(c.Nodes), 4 },
		Lone: func(c distributed.Config) (float64, float64) {
			return 0, float64(2 * distributed.Diameter(c.Tree()))
		},
		SyncDelay: "the token's path / 2, O(log N)",
		Sync:      func(c distributed.Config) (float64, float64) { return 1, float64(distributed.Diameter(c.Tree())) },
	},
	Invariants: []distributed.Invariant{
		distributed.OneToken(lectureOnTrees+"\"Correctness\"", func(v *distributed.View, i distributed.ID) bool {
			return distributed.NodeOf[*raymond](v, i).holder == i
		}),
		distributed.WayToToken(lectureOnTrees+"\"Dynamic Nature of the Tree\"", func(v *distributed.View, i distributed.ID) distributed.ID {
			return distributed.NodeOf[*raymond](v, i).holder
		}),
	},
	Tree:  true,
	Forms: distributed.Plain(distributed.Request, distributed.Token),
	New:   newRaymond,
}

const lectureOnTrees = "Raymond 1989; Smruti R. Sarangi, Mutual Exclusion: Tokenless and Token Based Algorithms, lecture, "

// raymond keeps the nodes in a tree whose edges point towards the token. A node
// that wants it, for itself or for a neighbor, asks the next node on the way,
// once; the token comes back along the same path and turns the edges.
//
// Source: Raymond 1989, section 3.
//
// Messages: Request, Token.
//
// Mutual exclusion: there is one token. No process starves, because each queue is
// first come first served and holds a node at most once. Messages may overtake
// each other: a request that comes before the token sent ahead of it waits in
// the queue like any other.
//
//	ASSIGN_PRIVILEGE: if HOLDER = self and not USING and REQUEST_Q not empty
//	                  then HOLDER := dequeue(REQUEST_Q); ASKED := false       A1
//	                       if HOLDER = self then USING := true; enter         A2
//	                       else send PRIVILEGE to HOLDER                      A3
//	MAKE_REQUEST:     if HOLDER ≠ self and REQUEST_Q not empty and not ASKED
//	                  then send REQUEST to HOLDER; ASKED := true              M1
//	request:   enqueue(REQUEST_Q, self); ASSIGN_PRIVILEGE; MAKE_REQUEST       R1
//	REQUEST X: enqueue(REQUEST_Q, X); ASSIGN_PRIVILEGE; MAKE_REQUEST          R2
//	PRIVILEGE: HOLDER := self; ASSIGN_PRIVILEGE; MAKE_REQUEST                 P1
//	release:   USING := false; ASSIGN_PRIVILEGE; MAKE_REQUEST                 L1
//
// Deviations: no recovery section; the threads of a node share a local queue.
type raymond struct {
	distributed.Quiet
	self     distributed.ID
	holder   distributed.ID
	using    bool
	asked    bool
	requestQ fifo.Queue[distributed.ID]
	local    distributed.LocalQueue
}

func newRaymond(c distributed.Config) ([]distributed.Node, error) {
	return c.BuildTree(func(i, parent distributed.ID) distributed.Node {
		return &raymond{self: i, holder: parent}
	})
}

func (p *raymond) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.enqueue(p.self, out) // R1
	}
}

func (p *raymond) enqueue(x distributed.ID, out *distributed.Out) {
	p.requestQ.Push(x)
	p.assignPrivilege(out)
	p.makeRequest(out)
}

func (p *raymond) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request:
		p.enqueue(m.From, out) // R2
	case distributed.Token:
		p.holder = p.self // P1
		p.assignPrivilege(out)
		p.makeRequest(out)
	}
}

func (p *raymond) Release(_ distributed.Thread, out *distributed.Out) {
	p.using = false // L1
	p.assignPrivilege(out)
	p.makeRequest(out)
	if p.local.Remove() {
		p.enqueue(p.self, out)
	}
}

func (p *raymond) assignPrivilege(out *distributed.Out) {
	if p.holder != p.self || p.using || p.requestQ.Len() == 0 {
		return
	}
	p.holder, p.asked = p.requestQ.Pop(), false // A1
	if p.holder == p.self {
		p.using = true // A2
		out.Grant(p.local.Head())
	} else {
		out.Send(distributed.Message{Kind: distributed.Token, From: p.self, To: p.holder}) // A3
	}
}

func (p *raymond) makeRequest(out *distributed.Out) {
	if p.holder != p.self && p.requestQ.Len() > 0 && !p.asked {
		p.asked = true // M1
		out.Send(distributed.Message{Kind: distributed.Request, From: p.self, To: p.holder, Who: p.self})
	}
}

func (p *raymond) String() string {
	return fmt.Sprintf("HOLDER=%d USING=%v ASKED=%v REQUEST_Q=%v threads=%v",
		p.holder, p.using, p.asked, p.requestQ.Slice(), p.local.Threads())
}
