package election

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// ChangRoberts is the specification of [changRoberts].
var ChangRoberts = Algorithm{
	Name:     "chang-roberts",
	Title:    "Chang and Roberts's ring election",
	Source:   "Ernest Chang, Rosemary Roberts, An Improved Algorithm for Decentralized Extrema-Finding in Circular Configurations of Processes, CACM 22(5), 1979, pp. 281–283",
	FIFO:     true,
	Survives: survives,
	Ring:     true,
	Crash:    true,
	Messages: "candidacies, if all start: 2n−1 at best, n·H(n) on average, n(n+1)/2 at worst; n to announce; and an acknowledgement for each",
	Cases:    changRobertsCases,
	Forms:    slices.Concat(ringForms, distributed.Plain(distributed.Election)),
	New: func(c Config) ([]distributed.Elector, error) {
		return build(c, func(i int) *changRoberts {
			return &changRoberts{newOnRing(i, c), distributed.None}
		})
	},
}

// changRoberts sends candidacies round the ring. A node passes on only candidacies above
// the highest that it knows. A candidacy that returns to its node has won.
//
// Source: Chang and Roberts 1979.
//
// Messages: Election (Who: the candidate, Stamp: the election's counter),
// Leader (Who: the elected, Stamp: the term), Ack (of either).
//
// Only the highest participant's candidacy passes all.
//
//	suspect:        unless participant: counter++; best := me;
//	                send ELECTION(me) to the next                        S1
//	ELECTION(j, c): acknowledge; drop it if c < counter;
//	                if c > counter: counter := c; best := none           Q1
//	                if j = me: lead; send LEADER(me) to the next         Q2
//	                else if j > me and j > best: best := j; pass it on   Q3
//	                else if best = none: best := me; send ELECTION(me)   Q4
//	                else drop it                                         Q5
//	LEADER(j):      acknowledge; if its term is later: follow j;
//	                best := none; pass it on, unless j = me              F1
//	no leader after 4n ticks: as S1                                      S2
//
// Deviations: best stands for the participant's mark, and keeps the candidacy of a dead
// node from going round forever; counters and terms; a missing acknowledgement reveals a
// dead next node.
type changRoberts struct {
	onRing
	best distributed.ID // None: not a participant
}

func (p *changRoberts) Suspect(out *distributed.Out) {
	if p.best == distributed.None { // S1
		p.stand(out)
	}
}

// catchUp is J4.
func (p *changRoberts) catchUp(out *distributed.Out) {
	if p.behind() {
		p.Suspect(out)
	}
}

func (p *changRoberts) stand(out *distributed.Out) {
	p.counter++
	p.candidate(p.me, out)
}

// candidate makes j the best known candidate and sends its candidacy on.
func (p *changRoberts) candidate(j distributed.ID, out *distributed.Out) {
	p.best = j
	out.Set(timerElection, int32(4*p.n))
	p.pass(distributed.Message{Kind: distributed.Election, Who: j, Stamp: p.counter}, p.election, out)
}

func (p *changRoberts) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Ack:
		p.link.Acked(m, out)
	case distributed.Election:
		p.link.Ack(m, out)
		p.election(m, out)
	case distributed.Leader:
		p.link.Ack(m, out)
		p.leads(m, out)
		p.catchUp(out)
	case distributed.Join:
		p.joined(m, out)
	case distributed.Welcome:
		p.greeted(m, out)
		p.catchUp(out)
	}
}

func (p *changRoberts) election(m distributed.Message, out *distributed.Out) {
	if m.Stamp < p.counter {
		return
	}
	if m.Stamp > p.counter { // Q1
		p.counter, p.best = m.Stamp, distributed.None
	}
	switch j := m.Who; {
	case j == p.me && p.best != distributed.None: // Q2
		m := distributed.Message{Kind: distributed.Leader, Who: p.me, Stamp: p.termOf(p.counter, p.me)}
		p.leads(m, out)
	case j > p.me && j > p.best: // Q3
		p.candidate(j, out)
	case p.best == distributed.None: // Q4
		p.candidate(p.me, out)
	}
}

func (p *changRoberts) leads(m distributed.Message, out *distributed.Out) {
	if !p.adopt(m.Who, m.Stamp, out) { // F1
		return
	}
	p.best, p.welcomed = distributed.None, nil // LEADER passes every node on the ring
	out.Cancel(timerElection)
	if !p.link.Alone() {
		p.link.Send(m, out)
	}
}

func (p *changRoberts) Expire(t distributed.TimerID, out *distributed.Out) {
	switch t {
	case timerElection: // S2
		p.stand(out)
	case timerJoin: // J4
		p.rejoin = joined
		p.catchUp(out)
	default:
		for _, m := range p.link.Expire(out) {
			if m.Kind == distributed.Election {
				p.election(m, out)
			}
		}
	}
}

// Recover implements [distributed.Recoverer].
func (p *changRoberts) Recover(out *distributed.Out) {
	*p = changRoberts{p.recovered(out), distributed.None}
}

func (p *changRoberts) String() string {
	return fmt.Sprintf("best=%d %v", p.best, &p.onRing)
}
