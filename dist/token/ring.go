package token

import (
	"fmt"

	"shmbench/dist"
)

// Ring is the card of [ring].
var Ring = dist.Algorithm{
	Name:   "token-ring",
	Title:  "Le Lann's token ring",
	Source: "Gérard Le Lann, Distributed Systems: Towards a Formal Approach, IFIP Congress 1977, pp. 155–160",
	Family: dist.TokenBased,
	Claims: dist.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: dist.Cost{
		Messages:  "1 at full load, without bound when nobody asks",
		Busy:      func(int) (float64, float64) { return 1, 1 },
		SyncDelay: "1 to N",
	},
	New: newRing,
}

// ring passes the token from node to node for ever; whoever has it may enter
// once before passing it on.
//
// Messages: Token.
//
// Mutual exclusion: there is one token. Nobody starves: the token comes by
// after at most N−1 entries of other nodes.
//
//	start:   node 0 has the token                          S1
//	token:   if a thread waits then enter                  T1
//	         else send TOKEN to the next node              T2
//	release: send TOKEN to the next node                   L1
//
// Deviations: none; the threads of a node queue at a Door, one entry a round.
type ring struct {
	me, next dist.ID
	door     dist.Door
}

func newRing(c dist.Config) ([]dist.Node, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	nodes := make([]dist.Node, c.Nodes)
	for i := range nodes {
		nodes[i] = &ring{me: dist.ID(i), next: dist.ID((i + 1) % c.Nodes)}
	}
	return nodes, nil
}

func (p *ring) Start(out *dist.Out) {
	if p.me == 0 { // S1
		p.pass(out)
	}
}

func (p *ring) pass(out *dist.Out) {
	out.Send(dist.Message{Kind: dist.Token, From: p.me, To: p.next})
}

func (p *ring) Request(t dist.Thread, _ *dist.Out) { p.door.Enter(t) }

func (p *ring) Receive(_ dist.Message, out *dist.Out) {
	if p.door.Empty() {
		p.pass(out) // T2
	} else {
		out.Grant(p.door.Head()) // T1
	}
}

func (p *ring) Release(_ dist.Thread, out *dist.Out) {
	p.door.Leave()
	p.pass(out) // L1
}

func (p *ring) Expire(dist.TimerID, *dist.Out) {}

func (p *ring) Clone() dist.Machine {
	c := *p
	c.door = p.door.Clone()
	return &c
}

func (p *ring) AppendState(b []byte) []byte { return p.door.AppendState(b) }

func (p *ring) String() string { return fmt.Sprintf("threads=%v", p.door.Threads()) }
