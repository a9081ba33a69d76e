package token

import (
	"fmt"

	"shmbench/distributed"
)

// Ring is the specification of [ring].
var Ring = distributed.Algorithm{
	Name:   "token-ring",
	Title:  "Le Lann's token ring",
	Source: "Gérard Le Lann, Distributed Systems: Towards a Formal Approach, IFIP Congress 1977, pp. 155–160",
	Family: distributed.TokenBased,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages:   "1 at full load, without bound when no thread asks",
		Busy:       func(distributed.Config) (float64, float64) { return 1, 1 },
		Wait:       func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes) },
		Throughput: func(distributed.Config) (float64, float64) { return 1, 1 },
		Lone:       func(c distributed.Config) (float64, float64) { return 1, float64(c.Nodes) },
		Share:      func(c distributed.Config) (float64, float64) { return 2 / float64(c.Nodes), 2.2 / float64(c.Nodes) },
		SyncDelay:  "1 to N",
		Sync:       func(c distributed.Config) (float64, float64) { return 1, float64(c.Nodes) },
		Bypass:     func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{
		distributed.OneToken("Le Lann 1977", func(v *distributed.View, i distributed.ID) bool { return v.Inside[i] }),
	},
	Forms: distributed.Plain(distributed.Token),
	New:   newRing,
}

// ring passes the token from node to node forever. The node with the token may enter
// once before it passes the token on.
//
// Messages: Token.
//
// Mutual exclusion: there is one token. No process starves: the token comes by
// after at most N−1 entries of other nodes.
//
//	start:   node 0 has the token                          S1
//	token:   if a thread waits then enter                  T1
//	         else send TOKEN to the next node              T2
//	release: send TOKEN to the next node                   L1
//
// Deviations: none; the threads of a node share a local queue, one entry a round.
type ring struct {
	me, next distributed.ID
	local    distributed.LocalQueue
}

func newRing(c distributed.Config) ([]distributed.Node, error) {
	return c.Build(func(i distributed.ID) distributed.Node {
		return &ring{me: i, next: (i + 1) % distributed.ID(c.Nodes)}
	})
}

func (p *ring) Start(out *distributed.Out) {
	if p.me == 0 { // S1
		p.pass(out)
	}
}

func (p *ring) pass(out *distributed.Out) {
	out.Send(distributed.Message{Kind: distributed.Token, From: p.me, To: p.next})
}

func (p *ring) Request(t distributed.Thread, _ *distributed.Out) { p.local.Add(t) }

func (p *ring) Receive(_ distributed.Message, out *distributed.Out) {
	if p.local.Len() == 0 {
		p.pass(out) // T2
	} else {
		out.Grant(p.local.Head()) // T1
	}
}

func (p *ring) Release(_ distributed.Thread, out *distributed.Out) {
	p.local.Remove()
	p.pass(out) // L1
}

func (p *ring) Expire(distributed.TimerID, *distributed.Out) {}

func (p *ring) String() string { return fmt.Sprintf("threads=%v", p.local.Threads()) }
