package election

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// Ring is the specification of [ring].
var Ring = Algorithm{
	Name:      "ring",
	Title:     "The ring election that lists the nodes that are up",
	Source:    "after Gérard Le Lann, Distributed Systems: Towards a Formal Approach, IFIP Congress 1977, pp. 155–160; Andrew S. Tanenbaum, Distributed Operating Systems, Prentice Hall, 1995, section 3.3.2",
	FIFO:      true,
	Survives:  survives,
	Ring:      true,
	Picks:     true,
	Crash:     true,
	Messages:  "2n−1 with one initiator, k(2n−1) with k, and an acknowledgement for each hop",
	Cases:     ringCases,
	Candidate: func(m distributed.Message) distributed.ID { return distributed.ID(m.Body[0]) },
	Forms:     slices.Concat(ringForms, distributed.Forms{{Kind: distributed.Election, Body: distributed.NodeList}}),
	New: func(c Config) ([]distributed.Elector, error) {
		pick := slices.Max[[]int64]
		if c.Lowest {
			pick = slices.Min[[]int64]
		}
		return build(c, func(i int) *ring { return &ring{onRing: newOnRing(i, c), pick: pick} })
	},
}

// ring sends a list round the ring, and each live node adds itself to the list. When
// the list returns to the initiator, it names the highest node, and the initiator
// announces this node.
//
// Source: Tanenbaum 1995, section 3.3.2.
//
// Messages: Election (Body: the list, Stamp: the greatest counter on the way),
// Leader (Who: the elected, Stamp: the term), Ack (of an Election).
//
// Initiators at the same time announce the same leader, or terms that all nodes put in
// the same order.
//
//	suspect:     unless initiating, send ELECTION [me] to the next      S1
//	ELECTION l:  acknowledge                                            Q1
//	             if l begins with me: the highest of l leads; tell all  Q2
//	             else unless l has me: add me and pass it on            Q3
//	LEADER:      follow it if its term is later                         F1
//	no leader after 4n ticks: begin again                               S2
//
// Deviations: terms; a missing acknowledgement reveals a dead next node; Q3 drops a
// list that comes by twice because its initiator is dead.
type ring struct {
	onRing
	initiating bool
	pick       func(list []int64) int64 // who of a list leads
}

func (p *ring) Suspect(out *distributed.Out) {
	if !p.initiating { // S1
		p.initiate(out)
	}
}

// catchUp is J4.
func (p *ring) catchUp(out *distributed.Out) {
	if p.behind() {
		p.Suspect(out)
	}
}

func (p *ring) initiate(out *distributed.Out) {
	p.initiating = true
	out.Set(timerElection, int32(4*p.n))
	p.passList([]int64{int64(p.me)}, out)
}

func (p *ring) passList(list []int64, out *distributed.Out) {
	p.pass(distributed.Message{Kind: distributed.Election, Stamp: p.counter, Body: list}, p.election, out)
}

func (p *ring) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Ack:
		p.link.Acked(m, out)
	case distributed.Election:
		p.link.Ack(m, out) // Q1
		p.election(m, out)
	case distributed.Leader:
		p.adopt(m.Who, m.Stamp, out) // F1
		p.catchUp(out)
	case distributed.Join:
		p.joined(m, out)
	case distributed.Welcome:
		p.greeted(m, out)
		p.catchUp(out)
	}
}

func (p *ring) election(m distributed.Message, out *distributed.Out) {
	p.hear(m.Stamp)
	p.welcomed = slices.DeleteFunc(p.welcomed, func(j distributed.ID) bool { return slices.Contains(m.Body, int64(j)) })
	switch {
	case m.Body[0] == int64(p.me): // Q2
		if p.initiating {
			p.initiating = false
			out.Cancel(timerElection)
			p.elect(m.Body, out)
		}
	case !slices.Contains(m.Body, int64(p.me)): // Q3
		p.passList(append(m.Body, int64(p.me)), out)
	}
}

func (p *ring) elect(list []int64, out *distributed.Out) {
	leader := distributed.ID(p.pick(list))
	term := p.termOf(p.counter+1, leader)
	p.adopt(leader, term, out)
	for _, j := range list {
		if distributed.ID(j) != p.me {
			out.Send(distributed.Message{Kind: distributed.Leader, From: p.me, To: distributed.ID(j), Who: leader, Stamp: term})
		}
	}
}

func (p *ring) Expire(t distributed.TimerID, out *distributed.Out) {
	switch t {
	case timerElection: // S2
		p.initiate(out)
	case timerJoin: // J4
		p.rejoin = joined
		p.catchUp(out)
	default:
		for _, m := range p.link.Expire(out) {
			p.election(m, out)
		}
	}
}

// Recover implements [distributed.Recoverer].
func (p *ring) Recover(out *distributed.Out) { *p = ring{onRing: p.recovered(out), pick: p.pick} }

func (p *ring) String() string {
	return fmt.Sprintf("initiating=%v %v", p.initiating, &p.onRing)
}
