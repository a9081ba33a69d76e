package token

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// NaimiTrehel is the specification of [naimiTrehel].
var NaimiTrehel = distributed.Algorithm{
	Name:   "naimi-trehel",
	Title:  "Naimi and Tréhel's path reversal",
	Source: "Mohamed Naimi, Michel Tréhel, André Arnold, A log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal, JPDC 34(1), 1996, pp. 1–13",
	Family: distributed.TokenBased,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages:   "O(log N) on average, H(N−1) if all ask alike; 0 to N",
		Idle:       func(c distributed.Config) (float64, float64) { return harmonic(c.Nodes - 1), harmonic(c.Nodes - 1) },
		Busy:       func(c distributed.Config) (float64, float64) { return 1, float64(c.Nodes) },
		Throughput: func(distributed.Config) (float64, float64) { return 1, 1 },
		Lone:       func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes) },
		Dearest:    makePath,
		SyncDelay:  "1",
		Sync:       func(distributed.Config) (float64, float64) { return 1, 1 },
		Bypass:     func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{
		distributed.OneToken("Naimi, Tréhel and Arnold 1996", func(v *distributed.View, i distributed.ID) bool {
			return distributed.NodeOf[*naimiTrehel](v, i).tokenPresent
		}),
		distributed.OwnerTree("Naimi, Tréhel and Arnold 1996", func(v *distributed.View, i distributed.ID) distributed.ID {
			return distributed.NodeOf[*naimiTrehel](v, i).owner
		}, requester),
	},
	Tree:  true,
	Forms: distributed.Plain(distributed.Request, distributed.Token),
	New:   newNaimiTrehel,
}

func requester(m distributed.Message) distributed.ID { return m.Who }

// harmonic is 1 + 1/2 + … + 1/n.
func harmonic(n int) float64 {
	h := 0.0
	for k := 1; k <= n; k++ {
		h += 1 / float64(k)
	}
	return h
}

// makePath returns lone requests that make of any tree of owners a path, and that of
// its end. A node x at depth 2 becomes a child of the root w if x, its parent and
// w ask in turn; so the tree becomes a star. Then each other node in turn, and w.
func makePath(c distributed.Config) []distributed.ID {
	parent := c.Tree()
	children := make([][]distributed.ID, len(parent))
	w := distributed.None
	for i, p := range parent {
		if p == distributed.ID(i) {
			w = p
		} else {
			children[p] = append(children[p], distributed.ID(i))
		}
	}
	var asks []distributed.ID
	level := slices.Clone(children[w]) // of those that are children of w by now
	for k := 0; k < len(level); k++ {
		for _, x := range children[level[k]] {
			asks = append(asks, x, level[k], w)
			level = append(level, x)
		}
	}
	return append(append(asks, level...), w, level[0])
}

// naimiTrehel keeps a tree of probable owners whose root is the last to have
// asked, and the queue of those who asked, each knowing the next. A request
// turns each node on its way towards the requester.
//
// Source: Naimi, Tréhel and Arnold 1996, section 3.
//
// Messages: Request (Who: the requester), Token.
//
// Mutual exclusion: there is one token. No process starves, because each request
// ends at a root, which makes the requester its next, and the queue is served
// in its order. Messages may overtake each other.
//
//	request:    requesting := true                                        R1
//	            if owner = nil then enter                                 R2
//	            else send REQUEST(i) to owner; owner := nil               R3
//	REQUEST(k): if owner = nil                                            Q1
//	            then if requesting then next := k                         Q2
//	                 else token_present := false; send TOKEN to k         Q3
//	            else send REQUEST(k) to owner                             Q4
//	            owner := k                                                Q5
//	TOKEN:      token_present := true; enter                              T1
//	release:    requesting := false                                       L1
//	            if next ≠ nil then token_present := false;
//	                 send TOKEN to next; next := nil                      L2
//
// Deviations: none; the threads of a node share a local queue.
type naimiTrehel struct {
	distributed.Quiet
	i            distributed.ID
	owner        distributed.ID // None is nil
	next         distributed.ID
	requesting   bool
	tokenPresent bool
	local        distributed.LocalQueue
}

func newNaimiTrehel(c distributed.Config) ([]distributed.Node, error) {
	return c.BuildTree(func(i, parent distributed.ID) distributed.Node {
		p := &naimiTrehel{i: i, owner: parent, next: distributed.None}
		if parent == i {
			p.owner, p.tokenPresent = distributed.None, true
		}
		return p
	})
}

func (p *naimiTrehel) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
	}
}

func (p *naimiTrehel) request(out *distributed.Out) {
	p.requesting = true // R1
	if p.owner == distributed.None {
		out.Grant(p.local.Head()) // R2
		return
	}
	out.Send(distributed.Message{Kind: distributed.Request, From: p.i, To: p.owner, Who: p.i}) // R3
	p.owner = distributed.None
}

func (p *naimiTrehel) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request:
		switch {
		case p.owner != distributed.None: // Q4
			out.Send(distributed.Message{Kind: distributed.Request, From: p.i, To: p.owner, Who: m.Who})
		case p.requesting: // Q2
			p.next = m.Who
		default: // Q3
			p.tokenPresent = false
			out.Send(distributed.Message{Kind: distributed.Token, From: p.i, To: m.Who})
		}
		p.owner = m.Who // Q5
	case distributed.Token:
		p.tokenPresent = true // T1
		out.Grant(p.local.Head())
	}
}

func (p *naimiTrehel) Release(_ distributed.Thread, out *distributed.Out) {
	p.requesting = false // L1
	if p.next != distributed.None {
		p.tokenPresent = false // L2
		out.Send(distributed.Message{Kind: distributed.Token, From: p.i, To: p.next})
		p.next = distributed.None
	}
	if p.local.Remove() {
		p.request(out)
	}
}

func (p *naimiTrehel) String() string {
	return fmt.Sprintf("owner=%d next=%d requesting=%v token_present=%v threads=%v",
		p.owner, p.next, p.requesting, p.tokenPresent, p.local.Threads())
}
