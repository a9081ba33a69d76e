package failover

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/internal/fifo"
)

// Central returns the specification of a central coordinator. When the coordinator
// dies, the nodes elect a new one by election e.
func Central(e *election.Algorithm) distributed.Algorithm {
	return spec(distributed.Algorithm{
		Name: "central", Title: "Central coordinator, replaced by election: ", Family: distributed.Central,
		Source: "after Ethan Blanton, Mutual Exclusion, CSE 486 lecture, University at Buffalo, 2021–2024, \"Single Point of Failure\"",
		Forms:  distributed.Plain(distributed.Request, distributed.Grant, distributed.Release, distributed.Ping, distributed.Pong),
		Cost:   distributed.Cost{Messages: "3, and 2 for each 2 ticks of waiting", SyncDelay: "2", Sync: func(distributed.Config) (float64, float64) { return 1, 2 }}, // 1 from or to the coordinator
	}, e, false, func(l leadership) distributed.Node {
		return &central{leadership: l, holder: distributed.None, watched: distributed.None}
	})
}

// central is a client of the coordinator that leads. On the node that leads, it is the
// coordinator too.
//
// Messages: Request, Grant, Release, Query, Report (Flag: in the critical section), each
// with Stamp: the epoch; Ping, Pong, Up; and the messages of the elector. The epoch and
// the stable state of the elector survive a crash.
//
// A node that waits for another node asks it every two ticks whether it lives. A client
// asks the coordinator. While others wait, the coordinator asks the node in the critical
// section.
//
//	request: asking; send REQUEST to the leader; watch it              R1
//	REQUEST: of this epoch: enqueue the sender; serve                  Q1
//	serve:   unless query or someone inside: dequeue, send GRANT       Q2
//	         if others wait: watch the one inside                      Q3
//	GRANT:   of this epoch: enter                                      G1
//	release: send RELEASE to the leader                                L1
//	RELEASE: of this epoch: no process is inside; serve                Q4
//	watched is dead: the one inside: no process is inside; serve       D1
//	         the leader: suspect it                                    D2
//	elected: begin an epoch: forget the queue; query                   E1
//	QUERY: of a later epoch: follow it; send REPORT; if asking, as R1  E2
//	REPORT:  note the holder; all have reported, or two ticks: serve   E3
//	QUERY of an earlier epoch: send REPORT of the later one, at which the
//	         sender leads no more                                      E4
//	recovery: keep the epoch; leader := none; send UP to all; the election
//	         recovers too                                              V1
//	UP:      as elected, if this node leads                            V2
type central struct {
	leadership
	local distributed.LocalQueue
	phase phase

	holder distributed.ID // the leader's: the node in its critical section
	queue  fifo.Queue[distributed.ID]

	watched distributed.ID
	pinged  bool // no Pong since
}

// phase is where the local's head stands.
type phase uint8

const (
	away phase = iota
	asking
	inside
)

func (p *central) Start(out *distributed.Out) { p.elector.Start(out) }

func (p *central) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.ask(out)
	}
}

func (p *central) ask(out *distributed.Out) {
	p.phase = asking // R1
	if p.leader == distributed.None {
		return // until a query comes
	}
	if p.leader == p.me {
		p.queue.Push(p.me)
		p.serve(out)
		return
	}
	p.to(p.leader, distributed.Message{Kind: distributed.Request, Who: p.me, Stamp: p.epoch}, out)
	p.watch(p.leader, out)
}

func (p *central) Release(_ distributed.Thread, out *distributed.Out) {
	p.phase = away // L1
	again := p.local.Remove()
	switch p.leader {
	case p.me:
		p.left(out)
	case distributed.None: // the next leader will ask for the holder
	default:
		p.to(p.leader, distributed.Message{Kind: distributed.Release, Stamp: p.epoch}, out)
	}
	if again {
		p.ask(out)
	}
}

// left notes, at the leader, that no process is in its critical section.
func (p *central) left(out *distributed.Out) {
	p.holder = distributed.None // Q4
	if p.phase != asking || p.leader == p.me {
		p.unwatch(out)
	}
	p.serve(out)
}

func (p *central) serve(out *distributed.Out) {
	if p.querying || p.queue.Len() == 0 {
		return
	}
	if p.holder == distributed.None { // Q2
		p.holder = p.queue.Pop()
		if p.holder == p.me {
			p.enter(out)
		} else {
			p.to(p.holder, distributed.Message{Kind: distributed.Grant, Stamp: p.epoch}, out)
		}
	}
	if p.queue.Len() > 0 && p.holder != p.me && p.watched == distributed.None { // Q3
		p.watch(p.holder, out)
	}
}

func (p *central) enter(out *distributed.Out) {
	p.phase = inside // G1
	p.unwatch(out)
	out.Grant(p.local.Head())
}

func (p *central) Receive(m distributed.Message, out *distributed.Out) {
	current := m.Stamp == p.epoch
	switch m.Kind {
	case distributed.Request:
		if current && p.leader == p.me { // Q1
			p.queue.Push(m.From)
			p.serve(out)
		}
	case distributed.Release:
		if current && p.leader == p.me && p.holder == m.From {
			p.left(out)
		}
	case distributed.Grant:
		if current && p.phase == asking {
			p.enter(out)
		}
	case distributed.Ping:
		p.to(m.From, distributed.Message{Kind: distributed.Pong}, out)
	case distributed.Pong:
		if m.From == p.watched {
			p.pinged = false
		}
	case distributed.Query:
		p.queryFrom(m, out)
	case distributed.Report:
		p.reportFrom(m, out)
	case distributed.Up:
		if p.leader == p.me { // V2
			p.beginEpoch(out)
		}
	default:
		p.elector.Receive(m, out)
		p.after(out)
	}
}

// after carries out the elector's decision.
func (p *central) after(out *distributed.Out) {
	if !p.elected() {
		return
	}
	if p.leader == p.me {
		p.beginEpoch(out)
		return
	}
	p.void(out)
	if p.phase == asking {
		p.watch(p.leader, out)
	}
}

// void forgets the node that this node watches, and its knowledge as the leader.
func (p *central) void(out *distributed.Out) {
	p.unwatch(out)
	p.holder, p.queue = distributed.None, fifo.Queue[distributed.ID]{}
}

func (p *central) beginEpoch(out *distributed.Out) {
	p.void(out)
	switch p.phase { // E1
	case inside:
		p.holder = p.me
	case asking:
		p.queue.Push(p.me)
	}
	p.begin(out)
}

func (p *central) queryFrom(m distributed.Message, out *distributed.Out) {
	if !p.promise(m, out) { // E2
		return
	}
	p.void(out)
	p.to(p.leader, distributed.Message{Kind: distributed.Report, Stamp: p.epoch, Flag: p.phase == inside}, out)
	if p.phase == asking {
		p.ask(out)
	}
}

func (p *central) reportFrom(m distributed.Message, out *distributed.Out) {
	if p.outdated(m, out) { // E4
		p.void(out)
		return
	}
	if m.Stamp != p.epoch || !p.querying { // E3
		return
	}
	if m.Flag {
		p.holder = m.From
	}
	if p.report(m, out) {
		p.serve(out)
	}
}

func (p *central) watch(j distributed.ID, out *distributed.Out) {
	p.watched, p.pinged = j, false
	out.Set(timerWatch, 2)
}

func (p *central) unwatch(out *distributed.Out) {
	p.watched, p.pinged = distributed.None, false
	out.Cancel(timerWatch)
}

func (p *central) Expire(t distributed.TimerID, out *distributed.Out) {
	switch t {
	case timerWatch:
		p.look(out)
	case timerQuery:
		p.end(out) // E3
		p.serve(out)
	default:
		p.elector.Expire(t, out)
		p.after(out)
	}
}

// look asks whether the watched node is alive, or concludes that it is not.
func (p *central) look(out *distributed.Out) {
	if !p.pinged {
		p.pinged = true
		p.to(p.watched, distributed.Message{Kind: distributed.Ping}, out)
		out.Set(timerWatch, 2)
		return
	}
	if p.leader == p.me { // D1
		p.left(out)
		return
	}
	p.watch(p.leader, out)
	p.elector.Suspect(out) // D2
	p.after(out)
}

// Recover implements [distributed.Recoverer].
func (p *central) Recover(out *distributed.Out) {
	*p = central{leadership: p.leadership, holder: distributed.None, watched: distributed.None}
	p.restart(out) // V1
	p.after(out)
}

func (p *central) String() string {
	return fmt.Sprintf("leader=%d epoch=%d phase=%d holder=%d queue=%v querying=%v reported=%v watched=%d pinged=%v threads=%v election: %v",
		p.leader, p.epoch, p.phase, p.holder, p.queue.Slice(), p.querying, p.reported, p.watched, p.pinged, p.local.Threads(), p.elector)
}
