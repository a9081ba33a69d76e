package token

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// SuzukiKasami is the specification of [suzukiKasami].
var SuzukiKasami = distributed.Algorithm{
	Name:   "suzuki-kasami",
	Title:  "Suzuki and Kasami's broadcast",
	Source: "Ichiro Suzuki, Tadao Kasami, A Distributed Mutual Exclusion Algorithm, ACM TOCS 3(4), 1985, pp. 344–349",
	Family: distributed.TokenBased,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages: "0 or N",
		Idle:     func(c distributed.Config) (float64, float64) { return float64(c.Nodes - 1), float64(c.Nodes - 1) }, // 0 for one in n
		Busy:     func(c distributed.Config) (float64, float64) { return float64(c.Nodes - 1), float64(c.Nodes) },
		Wait: func(c distributed.Config) (float64, float64) {
			n := float64(c.Nodes)
			return 2 * (n - 1) / n, 2 * (n - 1) / n
		},
		Throughput: func(distributed.Config) (float64, float64) { return 1, 1 },
		Lone:       func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes) },
		SyncDelay:  "0 or 1",
		Sync:       func(distributed.Config) (float64, float64) { return 0, 1 },
		Bypass:     func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{
		distributed.OneToken("Suzuki and Kasami 1985", func(v *distributed.View, i distributed.ID) bool {
			return distributed.NodeOf[*suzukiKasami](v, i).token != nil
		}),
	},
	Forms: distributed.Forms{{Kind: distributed.Request}, {Kind: distributed.Token, Body: distributed.TokenQueue}},
	New:   newSuzukiKasami,
}

// suzukiKasami broadcasts its request. The token carries the queue of its next holders,
// and for each node the number of its served requests. That number distinguishes new
// requests from late ones.
//
// Source: Suzuki and Kasami 1985, section 3.
//
// Messages: Request (Stamp: its number among the sender's), Token (Body: LN,
// one word a node, then the queue Q).
//
// Mutual exclusion: there is one token. No process starves: the request reaches the node
// that has the token or will have it, and Q is first in first out. Messages may overtake
// each other.
//
//	request:   requesting := true                                             R1
//	           if not have_token then RN[i]++; send REQUEST(RN[i]) to all     R2
//	           when have_token: enter                                         R3
//	REQUEST(n, j): RN[j] := max(RN[j], n)                                     Q1
//	           if have_token and not requesting and RN[j] = LN[j] + 1
//	           then have_token := false; send TOKEN to j                      Q2
//	release:   LN[i] := RN[i]                                                 L1
//	           for all j not in Q with RN[j] = LN[j] + 1: append j to Q       L2
//	           if Q is not empty then have_token := false;
//	                send TOKEN to its head, removed                           L3
//	           requesting := false                                            L4
//
// L2's "not in Q" is the test that the form of a lecture leaves out, see [lecture].
//
// Deviations: none; the threads of a node share a local queue.
type suzukiKasami struct {
	distributed.Quiet
	i          distributed.ID
	n          int
	requesting bool
	rn         []int64
	token      []int64 // LN and Q; nil without the token
	queued     []bool  `state:"scratch"` // the nodes in Q, in L2
	local      distributed.LocalQueue
}

func newSuzukiKasami(c distributed.Config) ([]distributed.Node, error) {
	return c.Build(func(i distributed.ID) distributed.Node {
		p := &suzukiKasami{i: i, n: c.Nodes, rn: make([]int64, c.Nodes), queued: make([]bool, c.Nodes)}
		if i == 0 {
			p.token = make([]int64, c.Nodes, 2*c.Nodes)
		}
		return p
	})
}

func (p *suzukiKasami) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
	}
}

func (p *suzukiKasami) request(out *distributed.Out) {
	p.requesting = true // R1
	if p.token != nil { // R3
		out.Grant(p.local.Head())
		return
	}
	p.rn[p.i]++ // R2
	out.Broadcast(distributed.Message{Kind: distributed.Request, From: p.i, Who: p.i, Stamp: p.rn[p.i]}, p.n)
}

func (p *suzukiKasami) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request:
		j := m.From
		p.rn[j] = max(p.rn[j], m.Stamp) // Q1
		if p.token != nil && !p.requesting && p.rn[j] == p.token[j]+1 {
			p.send(j, out) // Q2
		}
	case distributed.Token:
		p.token = m.Body
		out.Grant(p.local.Head()) // R3
	}
}

func (p *suzukiKasami) send(j distributed.ID, out *distributed.Out) {
	out.Send(distributed.Message{Kind: distributed.Token, From: p.i, To: j, Body: p.token})
	p.token = nil
}

func (p *suzukiKasami) Release(_ distributed.Thread, out *distributed.Out) {
	ln := p.token[:p.n]
	ln[p.i] = p.rn[p.i] // L1
	clear(p.queued)
	for _, j := range p.token[p.n:] {
		p.queued[j] = true
	}
	for j := range p.rn { // L2
		if !p.queued[j] && p.rn[j] == ln[j]+1 {
			p.token = append(p.token, int64(j))
		}
	}
	if len(p.token) > p.n { // L3
		head := distributed.ID(p.token[p.n])
		p.token = slices.Delete(p.token, p.n, p.n+1)
		p.send(head, out)
	}
	p.requesting = false // L4
	if p.local.Remove() {
		p.request(out)
	}
}

func (p *suzukiKasami) String() string {
	if p.token == nil {
		return fmt.Sprintf("requesting=%v RN=%v threads=%v", p.requesting, p.rn, p.local.Threads())
	}
	return fmt.Sprintf("requesting=%v RN=%v LN=%v Q=%v threads=%v", p.requesting, p.rn, p.token[:p.n], p.token[p.n:], p.local.Threads())
}
