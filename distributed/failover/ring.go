package failover

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/election"
)

// Ring returns the specification of a token ring. When the token is lost, the nodes
// elect a node by e, and this node makes a new token.
func Ring(e *election.Algorithm) distributed.Algorithm {
	return spec(distributed.Algorithm{
		Name: "token-ring", Title: "Token ring, the first token and a lost one made after election: ", Family: distributed.TokenBased,
		Source:     "after Gérard Le Lann, Distributed Systems: Towards a Formal Approach, IFIP Congress 1977, pp. 155–160",
		Cost:       distributed.Cost{Messages: "2 a hop, with its acknowledgement", SyncDelay: "1 to N", Sync: func(c distributed.Config) (float64, float64) { return 1, float64(c.Nodes) }},
		Invariants: []distributed.Invariant{oneTokenAnEpoch},
		Forms:      distributed.Plain(distributed.Token, distributed.Received, distributed.Ping, distributed.Pong, distributed.Request),
	}, e, true, func(l leadership) distributed.Node {
		return &ring{leadership: l, link: election.NewLink(l.me, l.n, timerLink, distributed.Received)}
	})
}

// ring passes the token round the nodes that are up. The node of a thread that waits long
// asks all nodes for the token. When no node has it, the node tells or suspects the
// leader, and the leader makes a new token after a query has found none.
//
// The nodes make the first token in the same way: no node has it, no node leads, and node
// 0 calls the first election. If node 0 does not, a node that has waited long does.
//
// The first question can miss a token that moves. The query then finds the token, and the
// only cost is a new epoch.
//
// Messages: Token (Stamp: the epoch), Received (of a Token), Ping (asks for the token),
// Pong (the sender has the token), Request (tells the leader that the token is lost),
// Query and Report (Stamp: the epoch, Flag: has the token), Up; and the messages of the
// elector. The epoch and the stable state of the elector survive a crash.
//
//	start:    node 0 suspects that no process leads                           S1
//	TOKEN:    acknowledge; of an earlier epoch: drop it                       T1
//	          if a thread waits then enter, else pass it on                   T2
//	release:  pass the token on                                               L1
//	waiting 2n ticks: ask all for the token                                   W1
//	PING:     has it, or has not had it acknowledged: send PONG               W2
//	no PONG in 2 ticks: the leader holds a query; another node tells the      W3
//	          leader that the token is lost; no query in 2n more: suspect it  W4
//	          no process leads: suspect that at once                          W5
//	QUERY:  of a later epoch: the token, if here, is of that epoch;
//	          what is not acknowledged is void; send REPORT                   I1
//	REPORT:   all have reported, or 2 ticks: if none has it, make a token     I2
//	QUERY of an earlier epoch: send REPORT of the later one, at which the
//	          sender leads no more                                            I3
//	recovery: keep the epoch; leader := none; send UP to all; the election
//	          recovers too                                                    V1
//	UP:       the sender is next again if it was passed over; if this node
//	          leads it holds a query                                          V2
type ring struct {
	leadership
	local distributed.LocalQueue
	link  election.Link
	token bool // is here
	phase search
	found bool // the query has found the token
}

// search says how far a waiting node has come in the search for the token.
type search uint8

const (
	patient search = iota
	polling        // has asked all
	told           // has told the leader
)

func (p *ring) Start(out *distributed.Out) {
	p.elector.Start(out)
	if p.me == 0 { // S1
		p.suspect(out)
	}
}

func (p *ring) suspect(out *distributed.Out) {
	p.elector.Suspect(out)
	p.after(out)
}

// have notes that the token is here.
func (p *ring) have(out *distributed.Out) {
	p.token = true // T2
	p.rest(out)
	if p.local.Len() > 0 {
		out.Grant(p.local.Head())
	} else {
		p.pass(out)
	}
}

// pass sends the token on, if there is a node to send it to. It waits while the
// last acknowledgement is missing.
func (p *ring) pass(out *distributed.Out) {
	if !p.link.Alone() && !p.link.Waiting() {
		p.token = false
		p.link.Send(distributed.Message{Kind: distributed.Token, Stamp: p.epoch}, out)
	}
}

// passIdle sends the token on if it stayed because there was no node to send it
// to.
func (p *ring) passIdle(out *distributed.Out) {
	if p.token && p.local.Len() == 0 {
		p.pass(out)
	}
}

// rest ends the search for the token.
func (p *ring) rest(out *distributed.Out) {
	p.phase = patient
	out.Cancel(timerWatch)
}

// wait starts the search for the token again, if a thread waits for the token.
func (p *ring) wait(out *distributed.Out) {
	p.rest(out)
	if p.local.Len() > 0 && !p.token {
		out.Set(timerWatch, int32(2*p.n))
	}
}

func (p *ring) Request(t distributed.Thread, out *distributed.Out) {
	if !p.local.Add(t) {
		return
	}
	if p.token {
		out.Grant(t)
	} else {
		p.wait(out)
	}
}

func (p *ring) Release(_ distributed.Thread, out *distributed.Out) {
	again := p.local.Remove()
	p.pass(out) // L1
	switch {
	case !p.token:
		p.wait(out)
	case again:
		out.Grant(p.local.Head())
	}
}

func (p *ring) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Token:
		p.link.Ack(m, out) // T1
		p.arrive(m, out)
	case distributed.Received:
		p.link.Acked(m, out)
		p.passIdle(out)
	case distributed.Ping:
		if p.token || p.link.Waiting() { // W2
			p.to(m.From, distributed.Message{Kind: distributed.Pong}, out)
		}
	case distributed.Pong:
		p.wait(out)
	case distributed.Request:
		if p.leader == p.me && !p.querying { // W3
			p.beginEpoch(out)
		}
	case distributed.Query:
		p.queryFrom(m, out)
	case distributed.Report:
		if p.outdated(m, out) { // I3
			p.found = false
			p.wait(out)
		} else if m.Stamp == p.epoch && p.querying { // I2
			p.found = p.found || m.Flag
			if p.report(m, out) {
				p.restore(out)
			}
		}
	case distributed.Up:
		p.link.Joined(m.From, false, out) // V2
		if p.leader == p.me {
			p.beginEpoch(out)
		} else {
			p.passIdle(out)
		}
	default:
		p.elector.Receive(m, out)
		p.after(out)
	}
}

// arrive accepts a token unless a query has made it void.
func (p *ring) arrive(m distributed.Message, out *distributed.Out) {
	if m.Stamp < p.epoch {
		return
	}
	p.epoch = m.Stamp
	p.have(out)
}

func (p *ring) after(out *distributed.Out) {
	if !p.elected() {
		return
	}
	p.wait(out)
	if p.leader == p.me {
		p.beginEpoch(out)
	}
}

func (p *ring) beginEpoch(out *distributed.Out) {
	p.link.Drop(out) // I1
	p.found = p.token
	p.begin(out)
}

func (p *ring) queryFrom(m distributed.Message, out *distributed.Out) {
	if !p.promise(m, out) {
		return
	}
	p.link.Drop(out) // I1
	p.found = false
	p.wait(out)
	p.to(p.leader, distributed.Message{Kind: distributed.Report, Stamp: p.epoch, Flag: p.token}, out)
	p.passIdle(out)
}

// restore makes a token if the query has not found one.
func (p *ring) restore(out *distributed.Out) {
	if p.found {
		p.passIdle(out)
	} else {
		p.have(out)
	}
	p.found = false
}

func (p *ring) Expire(t distributed.TimerID, out *distributed.Out) {
	switch t {
	case timerWatch:
		p.look(out)
	case timerQuery:
		p.end(out) // I2
		p.restore(out)
	case timerLink:
		for _, m := range p.link.Expire(out) {
			p.arrive(m, out)
		}
	default:
		p.elector.Expire(t, out)
		p.after(out)
	}
}

// look continues the search for the token.
func (p *ring) look(out *distributed.Out) {
	switch p.phase {
	case patient: // W1
		p.phase = polling
		p.all(distributed.Message{Kind: distributed.Ping}, out)
		out.Set(timerWatch, 2)
	case polling: // W3
		p.phase = told
		out.Set(timerWatch, int32(2*p.n))
		if p.leader == distributed.None { // W5
			p.suspect(out)
		} else if p.leader != p.me {
			p.to(p.leader, distributed.Message{Kind: distributed.Request, Who: p.me}, out)
		} else if !p.querying {
			p.beginEpoch(out)
		}
	case told: // W4
		p.wait(out)
		if p.leader != p.me {
			p.suspect(out)
		}
	}
}

// Recover implements [distributed.Recoverer].
func (p *ring) Recover(out *distributed.Out) {
	*p = ring{leadership: p.leadership, link: election.NewLink(p.me, p.n, timerLink, distributed.Received)}
	p.restart(out) // V1
	p.after(out)
}

// oneTokenAnEpoch says that no two tokens have the same epoch. A token at a node
// has the node's epoch, and a token under way carries its own.
var oneTokenAnEpoch = distributed.Invariant{
	Name: "one token an epoch", Source: "this package's rules I1 and I2",
	Holds: func(v *distributed.View) error {
		where := map[int64]string{}
		found := func(epoch int64, at string) error {
			if was, two := where[epoch]; two {
				return fmt.Errorf("two tokens of epoch %d: %s, %s", epoch, was, at)
			}
			where[epoch] = at
			return nil
		}
		for i := range distributed.ID(len(v.Nodes)) {
			if p := distributed.NodeOf[*ring](v, i); p.token && !v.Down[i] {
				if err := found(p.epoch, fmt.Sprintf("at node %d", i)); err != nil {
					return err
				}
			}
		}
		for _, m := range v.UnderWay {
			if m.Kind == distributed.Token {
				if err := found(m.Stamp, fmt.Sprintf("under way from node %d to node %d", m.From, m.To)); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

func (p *ring) String() string {
	return fmt.Sprintf("leader=%d epoch=%d token=%v search=%d querying=%v found=%v reported=%v %v threads=%v election: %v",
		p.leader, p.epoch, p.token, p.phase, p.querying, p.found, p.reported, &p.link, p.local.Threads(), p.elector)
}
