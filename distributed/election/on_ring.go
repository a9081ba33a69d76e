package election

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// ringForms are the forms of the messages that both ring elections send.
var ringForms = slices.Concat(distributed.Plain(distributed.Ack, distributed.Leader, distributed.Join), distributed.Forms{{Kind: distributed.Welcome, Nobody: true, Body: distributed.OneNumber}})

// onRing is the common state of both ring elections: their view and the link to
// the next node. If no other node is up, a message for the next node comes back
// to its sender.
//
// A node that restarts rejoins the ring. The counter survives a crash.
//
// Messages: Join; Welcome (Who: the leader, None if there is none, Stamp: its
// term, Body: the counter).
//
//	recovery: counter++; leader := none; send JOIN to all                  J1
//	JOIN:     the sender is next again, if it was passed over; what it
//	          may have lost is sent again; send WELCOME                    J2
//	WELCOME:  hear the counter; follow the leader if its term is later;
//	          this node leads no more: then leader := none                 J3
//	2 ticks after recovery, and whenever it is told of a leader later:
//	          unless it goes before this node, suspect                     J4
//	a later term, from anywhere: send WELCOME anew to those welcomed that
//	          are not known to be on the ring again                        J5
//
// J5 is for a node that a message passes by while the node's JOIN is under way.
type onRing struct {
	view
	link     Link
	lowest   bool // is to lead, not the highest
	rejoin   rejoin
	welcomed []distributed.ID // and not known to be on the ring again, in order
}

// rejoin says how far a node has come since its restart.
type rejoin uint8

const (
	never   rejoin = iota // it has not restarted
	joining               // the time for a Welcome is not over
	joined
)

func (r rejoin) String() string { return [...]string{"never", "joining", "joined"}[r] }

func newOnRing(i int, c Config) onRing {
	link := NewLink(distributed.ID(i), c.Nodes, timerAnswer, distributed.Ack)
	if c.Ring != nil {
		link.ring = c.Ring
		link.next = link.after(link.me)
	}
	return onRing{view: newView(i, c), link: link, lowest: c.Lowest}
}

// pass sends m on, or gives it to take if no other node is up.
func (p *onRing) pass(m distributed.Message, take func(distributed.Message, *distributed.Out), out *distributed.Out) {
	if p.link.Alone() {
		take(m, out)
	} else {
		p.link.Send(m, out)
	}
}

// recovered returns the state that p has after a restart, J1.
func (p *onRing) recovered(out *distributed.Out) onRing {
	r := newOnRing(int(p.me), Config{Nodes: p.n, First: true, Ring: p.link.ring, Lowest: p.lowest})
	r.counter, r.rejoin = p.counter+1, joining
	out.Broadcast(distributed.Message{Kind: distributed.Join, From: p.me}, p.n)
	out.Set(timerJoin, 2)
	return r
}

// joined handles a Join, J2.
func (p *onRing) joined(m distributed.Message, out *distributed.Out) {
	p.link.Joined(m.From, true, out)
	if at, found := slices.BinarySearch(p.welcomed, m.From); !found {
		p.welcomed = slices.Insert(p.welcomed, at, m.From)
	}
	p.welcome(m.From, out)
}

func (p *onRing) welcome(j distributed.ID, out *distributed.Out) {
	out.Send(distributed.Message{Kind: distributed.Welcome, From: p.me, To: j, Who: p.leader, Stamp: p.term, Body: []int64{p.counter}})
}

// greeted handles a Welcome, J3.
func (p *onRing) greeted(m distributed.Message, out *distributed.Out) {
	p.hear(m.Body[0])
	if m.Who == p.me && m.Stamp > p.term {
		m.Who = distributed.None
	}
	p.adopt(m.Who, m.Stamp, out)
}

// behind reports whether this node, having restarted, must hold an election: the time for
// a Welcome is over, and the node knows no leader, or a leader that should not lead, J4.
func (p *onRing) behind() bool {
	switch {
	case p.rejoin != joined:
		return false
	case p.lowest:
		return p.leader == distributed.None || p.leader > p.me
	}
	return p.leader < p.me // as none is
}

// adopt does the same as follow, and tells the nodes that were passed by, J5.
func (p *onRing) adopt(leader distributed.ID, term int64, out *distributed.Out) bool {
	if !p.follow(leader, term) {
		return false
	}
	for _, j := range p.welcomed {
		p.welcome(j, out)
	}
	return true
}

func (p *onRing) String() string {
	return fmt.Sprintf("%v %v rejoin=%v welcomed=%v", &p.view, &p.link, p.rejoin, p.welcomed)
}
