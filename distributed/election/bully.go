package election

import (
	"fmt"

	"shmbench/distributed"
)

// Bully is the specification of [bully].
var Bully = Algorithm{
	Name:     "bully",
	Title:    "The bully",
	Source:   "Hector Garcia-Molina, Elections in a Distributed Computing System, IEEE Transactions on Computers C-31(1), 1982, pp. 48–59",
	Survives: survives,
	Crash:    true,
	Messages: "n to n(n−1) with one initiator and a dead leader; if all suspect a living one, the highest first, C(n+1,3) of ELECTION alone: " +
		"a node that has heard the leader holds an election again for each ELECTION that reaches it after that",
	Cases:     bullyCases,
	Candidate: func(m distributed.Message) distributed.ID { return m.From },
	Forms:     distributed.Plain(distributed.Election, distributed.OK, distributed.Leader),
	New: func(c Config) ([]distributed.Elector, error) {
		return build(c, func(i int) *bully { return &bully{view: newView(i, c)} })
	},
}

// bully asks all higher nodes to take over. If none answers in time, the node
// becomes the leader and tells all nodes.
//
// Source: Garcia-Molina 1982, section 3; in the form of Tanenbaum, Distributed
// Operating Systems, 1995, section 3.3.
//
// Messages: Election (Stamp: the latest term that the sender can know of), OK
// (Stamp: the sender's counter), Leader (Stamp: the term).
//
// The highest node that is up wins, because every lower node hears from it in
// time. The counter survives a crash.
//
//	suspect:   unless electing, hold an election                        S1
//	election:  send ELECTION to all above; await an answer for 2 ticks  E1
//	           none above, or none answers: counter++; lead; tell all   E2
//	ELECTION:  send OK to the sender; unless electing, hold an election Q1
//	           but one that leads, in the latest term that either
//	           knows of, sends LEADER                                   Q2
//	OK:        await a leader for 2n+1 ticks, then begin again          O1
//	LEADER:    of a later term and from above, or of the leader that
//	           this node has: follow it                                 F1
//	           of a later term and from below, or of an earlier one from
//	           above: the sender lacks what this node has heard;
//	           unless electing, hold an election, which it will notice  F2
//	recovery:  hold an election                                         V1
//
// Deviations: terms, and with them Q2 and F2.
type bully struct {
	view
	electing bool
}

func (p *bully) Suspect(out *distributed.Out) {
	if !p.electing { // S1
		p.hold(out)
	}
}

func (p *bully) hold(out *distributed.Out) {
	p.electing = true
	if int(p.me) == p.n-1 {
		p.lead(out)
		return
	}
	for j := p.me + 1; int(j) < p.n; j++ { // E1
		out.Send(distributed.Message{Kind: distributed.Election, From: p.me, To: j, Stamp: p.latest()})
	}
	out.Cancel(timerElection)
	out.Set(timerAnswer, 2)
}

func (p *bully) lead(out *distributed.Out) {
	p.counter++ // E2
	p.follow(p.me, p.termOf(p.counter, p.me))
	p.rest(out)
	out.Broadcast(distributed.Message{Kind: distributed.Leader, From: p.me, Stamp: p.term}, p.n)
}

// rest ends this node's part in an election.
func (p *bully) rest(out *distributed.Out) {
	p.electing = false
	out.Cancel(timerAnswer)
	out.Cancel(timerElection)
}

func (p *bully) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Election:
		p.hear(m.Stamp / int64(p.n))
		if p.leader == p.me && p.term >= max(p.latest(), m.Stamp) { // Q2
			out.Send(distributed.Message{Kind: distributed.Leader, From: p.me, To: m.From, Stamp: p.term})
			return
		}
		out.Send(distributed.Message{Kind: distributed.OK, From: p.me, To: m.From, Stamp: p.counter}) // Q1
		if !p.electing {
			p.hold(out)
		}
	case distributed.OK:
		p.hear(m.Stamp)
		if p.electing { // O1
			out.Cancel(timerAnswer)
			out.Set(timerElection, int32(2*p.n+1))
		}
	case distributed.Leader:
		p.hear(m.Stamp / int64(p.n))
		above, later := m.From > p.me, m.Stamp > p.term
		switch {
		case above && later || m.Stamp == p.term: // F1
			p.follow(m.From, m.Stamp)
			p.rest(out)
		case above != later && m.From != p.leader && !p.electing: // F2
			p.hold(out)
		}
	}
}

func (p *bully) Expire(t distributed.TimerID, out *distributed.Out) {
	if t == timerAnswer { // E2
		p.lead(out)
	} else { // O1
		p.hold(out)
	}
}

func (p *bully) Recover(out *distributed.Out) {
	p.electing, p.leader, p.term = false, distributed.None, 0
	p.hold(out) // V1
}

func (p *bully) String() string { return fmt.Sprintf("%v electing=%v", &p.view, p.electing) }
