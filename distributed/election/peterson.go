package election

import (
	"fmt"

	"shmbench/distributed"
)

// Peterson is the specification of [peterson].
var Peterson = Algorithm{
	Name:     "peterson-ring",
	Title:    "Peterson's ring election",
	Source:   "Gary L. Peterson, An O(n log n) Unidirectional Algorithm for the Circular Extrema Problem, ACM TOPLAS 4(4), 1982, pp. 758–762",
	FIFO:     true,
	Ring:     true,
	Survives: "none: the ring is reliable and no node crashes",
	Messages: "at most 2n⌊log₂ n⌋ + n, and n to announce",
	Cases:    petersonCases,
	New: func(c Config) ([]distributed.Elector, error) {
		next, _ := c.neighbors()
		return build(c, func(i int) *peterson { return &peterson{view: newView(i, c), next: next[i]} })
	},
}

// peterson elects in rounds. An active node compares its identity with those of
// the two active nodes before it. If the identity of the nearer one is the
// greatest of the three, the node takes it over. Otherwise the node drops out and
// only passes messages on. At least half of the active nodes drop out in each
// round. The greatest identity wins when it returns to its node.
//
// Source: Peterson 1982, the first algorithm.
//
// Messages: Election (Who: an identity; Flag: the second of a round; Stamp: the
// election's counter), Leader (Who: the elected; Stamp: the term).
//
// The greatest identity is always a local maximum, so it is never dropped, and no
// other identity passes all nodes. The election relies on FIFO: a first message
// of the next round must not overtake a second message.
//
//	suspect:     unless in an election: counter++; P1                      S1
//	P1:          active; tid := me; send A(tid) to the next
//	A(v), B(v):  drop it if of an earlier election, or if this one is over
//	             if of a later one: P1, in that                            Q1
//	             if v = me: lead; send LEADER(me) to the next              Q2
//	             if not active: pass it on                                 P4
//	A(v):        n1 := v; send B(max(tid, v))                              P2
//	B(v):        if n1 ≥ max(tid, v) then tid := n1; send A(tid)
//	             else not active                                           P3
//	LEADER(j):   if its term is later: follow j; pass it on                F1
//
// Deviations: counters and terms; the announcement.
type peterson struct {
	view
	next    distributed.ID
	started bool // takes part in election counter
	active  bool
	tid, n1 distributed.ID
}

func (p *peterson) Suspect(out *distributed.Out) {
	if !p.started { // S1
		p.counter++
		p.start(out)
	}
}

func (p *peterson) start(out *distributed.Out) {
	p.started, p.active, p.tid, p.n1 = true, true, p.me, distributed.None // P1
	p.send(p.tid, false, out)
}

func (p *peterson) send(v distributed.ID, second bool, out *distributed.Out) {
	out.Send(distributed.Message{Kind: distributed.Election, From: p.me, To: p.next, Who: v, Flag: second, Stamp: p.counter})
}

func (p *peterson) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Leader {
		p.leads(m, out)
		return
	}
	if m.Stamp > p.counter { // Q1
		p.counter = m.Stamp
		p.start(out)
	} else if m.Stamp < p.counter || !p.started {
		return
	}
	switch v := m.Who; {
	case v == p.me: // Q2
		p.leads(distributed.Message{Kind: distributed.Leader, Who: p.me, Stamp: p.termOf(p.counter, p.me)}, out)
	case !p.active: // P4
		p.send(v, m.Flag, out)
	case !m.Flag: // P2
		p.n1 = v
		p.send(max(p.tid, v), true, out)
	case p.n1 >= max(p.tid, v): // P3
		p.tid, p.n1 = p.n1, distributed.None
		p.send(p.tid, false, out)
	default:
		p.active, p.tid, p.n1 = false, distributed.None, distributed.None
	}
}

func (p *peterson) leads(m distributed.Message, out *distributed.Out) {
	if !p.follow(m.Who, m.Stamp) { // F1
		return
	}
	if m.Stamp >= p.termOf(p.counter, 0) {
		p.started, p.active, p.tid, p.n1 = false, false, distributed.None, distributed.None
	}
	m.From, m.To = p.me, p.next
	out.Send(m)
}

func (p *peterson) Expire(distributed.TimerID, *distributed.Out) {}

func (p *peterson) String() string {
	return fmt.Sprintf("%v started=%v active=%v tid=%d n1=%d", &p.view, p.started, p.active, p.tid, p.n1)
}
