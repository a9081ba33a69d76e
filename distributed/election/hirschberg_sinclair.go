package election

import (
	"fmt"

	"shmbench/distributed"
)

// HirschbergSinclair is the specification of [hirschbergSinclair].
var HirschbergSinclair = Algorithm{
	Name:     "hirschberg-sinclair",
	Title:    "Hirschberg and Sinclair's ring election in both directions",
	Source:   "D. S. Hirschberg, J. B. Sinclair, Decentralized Extrema-Finding in Circular Configurations of Processors, CACM 23(11), 1980, pp. 627–628",
	Ring:     true,
	Survives: "none: the ring is reliable and no node crashes",
	Messages: "at most 8n(1 + ⌈log₂ n⌉), and n to announce",
	Cases:    hirschbergSinclairCases,
	New: func(c Config) ([]distributed.Elector, error) {
		next, before := c.neighbors()
		return build(c, func(i int) *hirschbergSinclair {
			return &hirschbergSinclair{view: newView(i, c), next: next[i], before: before[i]}
		})
	},
}

// hirschbergSinclair sends candidacies both ways along the ring, twice as far in
// each phase. A higher node drops a candidacy. The last node on its way answers
// it. With both answers, the candidate begins the next phase. A candidacy that
// returns to its node has won.
//
// Source: Hirschberg and Sinclair 1980.
//
// Messages: Election, the probe (Who: the candidate; Flag: it goes backwards;
// Stamp: the election's counter; Body: phase and hops so far), Reply (Who: the
// candidate; Flag: it goes backwards; Stamp: the counter), Leader (Who: the
// elected; Stamp: the term).
//
// A node that begins phase k was the highest of 2^k+1 nodes, so few nodes do, and
// only the highest node's candidacy passes all nodes. The messages of a pair may
// overtake each other.
//
//	suspect:    unless in an election: counter++; H1                       S1
//	H1:         phase := 0; send PROBE(me, 0, 1) both ways
//	PROBE, REPLY: drop it if of an earlier election, or if this one is over
//	            if of a later one: H1, in that                             Q1
//	PROBE(j, k, h): if j = me: lead; send LEADER(me) to the next           Q2
//	            if j < me: drop it
//	            if h < 2^k: pass it on with h+1, else send REPLY(j) back   H2
//	REPLY(j):   if j ≠ me: pass it on                                      H3
//	            at the second: phase++; send PROBE(me, phase, 1) both ways H4
//	LEADER(j):  if its term is later: follow j; pass it on                 F1
//
// Deviations: counters and terms; the announcement.
type hirschbergSinclair struct {
	view
	next, before distributed.ID
	started      bool // takes part in election counter
	phase        int64
	replies      int
}

func (p *hirschbergSinclair) Suspect(out *distributed.Out) {
	if !p.started { // S1
		p.counter++
		p.start(out)
	}
}

func (p *hirschbergSinclair) start(out *distributed.Out) {
	p.started, p.phase, p.replies = true, 0, 0 // H1
	p.probe(out)
}

func (p *hirschbergSinclair) probe(out *distributed.Out) {
	for _, back := range []bool{false, true} {
		p.send(distributed.Message{Kind: distributed.Election, Who: p.me, Flag: back, Body: []int64{p.phase, 1}}, out)
	}
}

// send sends m in its direction.
func (p *hirschbergSinclair) send(m distributed.Message, out *distributed.Out) {
	m.From, m.To, m.Stamp = p.me, p.next, p.counter
	if m.Flag {
		m.To = p.before
	}
	out.Send(m)
}

func (p *hirschbergSinclair) Receive(m distributed.Message, out *distributed.Out) {
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
	if m.Kind == distributed.Reply {
		p.reply(m, out)
		return
	}
	switch phase, hops := m.Body[0], m.Body[1]; {
	case m.Who == p.me: // Q2
		p.leads(distributed.Message{Kind: distributed.Leader, Who: p.me, Stamp: p.termOf(p.counter, p.me)}, out)
	case m.Who < p.me:
	case hops < 1<<phase: // H2
		m.Body[1]++
		p.send(m, out)
	default:
		p.send(distributed.Message{Kind: distributed.Reply, Who: m.Who, Flag: !m.Flag}, out)
	}
}

func (p *hirschbergSinclair) reply(m distributed.Message, out *distributed.Out) {
	if m.Who != p.me { // H3
		p.send(m, out)
		return
	}
	if p.replies++; p.replies == 2 { // H4
		p.phase, p.replies = p.phase+1, 0
		p.probe(out)
	}
}

func (p *hirschbergSinclair) leads(m distributed.Message, out *distributed.Out) {
	if !p.follow(m.Who, m.Stamp) { // F1
		return
	}
	if m.Stamp >= p.termOf(p.counter, 0) {
		p.started, p.phase, p.replies = false, 0, 0
	}
	m.From, m.To = p.me, p.next
	out.Send(m)
}

func (p *hirschbergSinclair) Expire(distributed.TimerID, *distributed.Out) {}

func (p *hirschbergSinclair) String() string {
	return fmt.Sprintf("%v started=%v phase=%d replies=%d", &p.view, p.started, p.phase, p.replies)
}
