package failover

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/election"
)

// Ring returns the card of the token ring whose lost token the node elected by
// e makes anew.
func Ring(e *election.Algorithm) distributed.Algorithm {
	a := card("token-ring-"+e.Name, "Token ring, a lost token made anew after election: "+e.Title,
		"after Gérard Le Lann, Distributed Systems: Towards a Formal Approach, IFIP Congress 1977, pp. 155–160", e,
		func(i, _ int, electors []distributed.Elector) distributed.Node {
			return &ring{
				leads: newLeads(i, electors),
				link:  election.NewLink(distributed.ID(i), len(electors), timerLink, distributed.Received),
			}
		})
	a.Family = distributed.TokenBased
	a.Cost = distributed.Cost{Messages: "2 a hop, with its acknowledgement", SyncDelay: "1 to N"}
	return a
}

// ring passes the token round the nodes that are up. A thread that waits long
// has its node ask all for the token; when nobody has it the leader is told,
// or suspected, and makes a new one once an inquest has found none.
//
// The asking can miss a token that moves; the inquest then finds it, and no
// harm is done but a new reign.
//
// Messages: Token (Stamp: the reign), Received (of a Token), Ping (who has the
// token?), Pong (this node has), Request (of the leader: the token is lost),
// Inquest and Report (Stamp: the reign, Flag: has the token); the elector's.
//
//	TOKEN:    acknowledge; of an earlier reign: drop it                        T1
//	          if a thread waits then enter, else pass it on                    T2
//	release:  pass the token on                                                L1
//	waiting 2n ticks: ask all who has the token                                W1
//	PING:     has it, or has not had it acknowledged: send PONG                W2
//	no PONG in 2 ticks: the leader holds an inquest; another node tells the    W3
//	          leader that the token is lost; no inquest in 2n more: suspect it W4
//	INQUEST:  of a later reign: the token, if here, is of that reign;
//	          what is not acknowledged is void; send REPORT                    I1
//	REPORT:   all have reported, or 2 ticks: if none has it, make a token      I2
type ring struct {
	leads
	door  distributed.Door
	link  election.Link
	token bool // is here
	phase search
	found bool // the inquest has found the token
}

// search is how far a node that waits has come in looking for the token.
type search uint8

const (
	patient search = iota
	polling        // has asked all
	told           // has told the leader
)

func (p *ring) Start(out *distributed.Out) {
	p.elector.Start(out)
	if p.me == 0 {
		p.have(out)
	}
}

// have takes the token.
func (p *ring) have(out *distributed.Out) {
	p.token = true // T2
	p.rest(out)
	if !p.door.Empty() {
		out.Grant(p.door.Head())
	} else {
		p.pass(out)
	}
}

// pass sends the token on, if there is anybody to send it to and it has not
// come back before the last acknowledgement has.
func (p *ring) pass(out *distributed.Out) {
	if !p.link.Alone() && !p.link.Waiting() {
		p.token = false
		p.link.Send(distributed.Message{Kind: distributed.Token, Stamp: p.reign}, out)
	}
}

// rest ends the search for the token.
func (p *ring) rest(out *distributed.Out) {
	p.phase = patient
	out.Cancel(timerWatch)
}

// wait begins the search for the token anew, if a thread waits for it.
func (p *ring) wait(out *distributed.Out) {
	p.rest(out)
	if !p.door.Empty() && !p.token {
		out.Set(timerWatch, int32(2*p.n))
	}
}

func (p *ring) Request(t distributed.Thread, out *distributed.Out) {
	if !p.door.Enter(t) {
		return
	}
	if p.token {
		out.Grant(t)
	} else {
		p.wait(out)
	}
}

func (p *ring) Release(_ distributed.Thread, out *distributed.Out) {
	again := p.door.Leave()
	p.pass(out) // L1
	switch {
	case !p.token:
		p.wait(out)
	case again:
		out.Grant(p.door.Head())
	}
}

func (p *ring) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Token:
		p.link.Ack(m, out) // T1
		p.arrive(m, out)
	case distributed.Received:
		p.link.Acked(m, out)
		if p.token && p.door.Empty() {
			p.pass(out)
		}
	case distributed.Ping:
		if p.token || p.link.Waiting() { // W2
			p.to(m.From, distributed.Message{Kind: distributed.Pong}, out)
		}
	case distributed.Pong:
		p.wait(out)
	case distributed.Request:
		if p.leader == p.me && !p.inquest { // W3
			p.reignAnew(out)
		}
	case distributed.Inquest:
		p.inquestBy(m, out)
	case distributed.Report:
		if m.Stamp == p.reign && p.inquest { // I2
			p.found = p.found || m.Flag
			if p.report(m, out) {
				p.restore(out)
			}
		}
	default:
		p.elector.Receive(m, out)
		p.after(out)
	}
}

// arrive takes a token unless an inquest has made it void.
func (p *ring) arrive(m distributed.Message, out *distributed.Out) {
	if m.Stamp < p.reign {
		return
	}
	p.reign = m.Stamp
	p.have(out)
}

func (p *ring) after(out *distributed.Out) {
	if !p.elected() {
		return
	}
	p.wait(out)
	if p.leader == p.me {
		p.reignAnew(out)
	}
}

func (p *ring) reignAnew(out *distributed.Out) {
	p.link.Drop(out) // I1
	p.found = p.token
	p.begin(out)
}

func (p *ring) inquestBy(m distributed.Message, out *distributed.Out) {
	if !p.promise(m, out) {
		return
	}
	p.link.Drop(out) // I1
	p.wait(out)
	p.to(p.leader, distributed.Message{Kind: distributed.Report, Stamp: p.reign, Flag: p.token}, out)
}

// restore makes a token if the inquest has found none.
func (p *ring) restore(out *distributed.Out) {
	if !p.found {
		p.have(out)
	}
	p.found = false
}

func (p *ring) Expire(t distributed.TimerID, out *distributed.Out) {
	switch t {
	case timerWatch:
		p.look(out)
	case timerInquest:
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

// look goes on with the search for the token.
func (p *ring) look(out *distributed.Out) {
	switch p.phase {
	case patient: // W1
		p.phase = polling
		p.all(distributed.Message{Kind: distributed.Ping}, out)
		out.Set(timerWatch, 2)
	case polling: // W3
		p.phase = told
		out.Set(timerWatch, int32(2*p.n))
		if p.leader != p.me {
			p.to(p.leader, distributed.Message{Kind: distributed.Request, Who: p.me}, out)
		} else if !p.inquest {
			p.reignAnew(out)
		}
	case told: // W4
		p.wait(out)
		if p.leader != p.me {
			p.elector.Suspect(out)
			p.after(out)
		}
	}
}

func (p *ring) Clone() distributed.Machine {
	c := *p
	c.leads, c.door, c.link = p.leads.clone(), p.door.Clone(), p.link.Clone()
	return &c
}

func (p *ring) AppendState(b []byte) []byte {
	b = p.door.AppendState(p.appendState(b))
	b = append(b, byte(p.phase))
	b = distributed.AppendBools(b, p.token, p.found)
	return p.link.AppendState(b)
}

func (p *ring) String() string {
	return fmt.Sprintf("leader=%d reign=%d token=%v search=%d inquest=%v found=%v reported=%v %v threads=%v election: %v",
		p.leader, p.reign, p.token, p.phase, p.inquest, p.found, p.reported, &p.link, p.door.Threads(), p.elector)
}
