package permission

import (
	"fmt"
	"math"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// ballots are the forms of the messages by which nodes vote.
var ballots = distributed.Plain(distributed.Request, distributed.Locked, distributed.Failed, distributed.Inquire, distributed.Relinquish, distributed.Release)

// Maekawa is the specification of [maekawa].
var Maekawa = distributed.Algorithm{
	Name:   "maekawa",
	Title:  "Maekawa's quorums",
	Source: "Mamoru Maekawa, A √N Algorithm for Mutual Exclusion in Decentralized Systems, ACM TOCS 3(2), 1985, pp. 145–159",
	Family: distributed.Permission,
	Claims: distributed.Claims{FIFO: true, DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages: "3(K−1) to 5(K−1), K ≈ √N (plane) or 2√N−1 (grid) the quorum's size",
		Idle: func(c distributed.Config) (float64, float64) {
			others := meanOthers(quorumsOf(c))
			return 3 * others, 3 * others
		},
		Busy: func(c distributed.Config) (float64, float64) {
			others := meanOthers(quorumsOf(c))
			return 3 * others, 5 * others
		},
		Wait: func(distributed.Config) (float64, float64) { return 2, 2 },
		Lone: func(c distributed.Config) (least, most float64) {
			least = math.Inf(1)
			for i, q := range quorumsOf(c) {
				messages := float64(3 * len(q))
				if slices.Contains(q, distributed.ID(i)) {
					messages -= 3
				}
				least, most = min(least, messages), max(most, messages)
			}
			return least, most
		},
		Throughput: func(distributed.Config) (float64, float64) { return 0.5, 1 },
		SyncDelay:  "2",
		Sync:       func(distributed.Config) (float64, float64) { return 1, 2 }, // 1 where a voter is one of the two
	},
	Invariants: []distributed.Invariant{oneVote},
	Quorums:    true,
	Forms:      ballots,
	New:        newMaekawa,
}

// meanOthers is the mean number of other nodes in a node's quorum, the K−1 of the
// specifications.
func meanOthers(quorums [][]distributed.ID) float64 {
	others := 0
	for i, q := range quorums {
		others += len(q)
		if slices.Contains(q, distributed.ID(i)) {
			others--
		}
	}
	return float64(others) / float64(len(quorums))
}

// quorumsOf returns the quorums of c, or those that maekawa builds for it.
func quorumsOf(c distributed.Config) [][]distributed.ID {
	if c.Quorums != nil {
		return c.Quorums
	}
	return Quorums(c.Nodes)
}

// maekawa asks a quorum for its votes. A node has one vote; any two quorums
// share a node, which does not vote for both. A voter that hears of an earlier
// request asks for its vote back.
//
// Source: Maekawa 1985, section 4; Beverly A. Sanders, The Information
// Structure of Distributed Mutual Exclusion Algorithms, ACM TOCS 5(3), 1987,
// pp. 284–299, for Q4.
//
// Messages: Request, Locked, Failed, Inquire, Relinquish, Release, each with Stamp: the
// timestamp of the request that it is about; Locked also with Clock: the voter's. Without
// it, a node that hears of few requests would get ahead of the others.
//
// Mutual exclusion: two nodes in their critical sections would share a voter that has
// voted twice. No deadlock: a node gives back a vote that an earlier request wants, when
// it knows that it cannot have all its own votes. The lock requires FIFO channels: an
// INQUIRE must not overtake the LOCKED that it asks back.
//
//	request: clock++; send REQUEST to the quorum                                R1
//	enter:   when LOCKED by all of the quorum                                   R2
//	release: send RELEASE to the quorum                                         R3
//	REQUEST r: if not locked then lock for r; send LOCKED                       Q1
//	         else enqueue r; if the lock or any in the queue precedes r
//	              then send FAILED to r                                         Q2
//	              else send INQUIRE to the lock's holder, unless sent           Q3
//	                   and FAILED to the one that r has displaced as the head   Q4
//	INQUIRE: if inside: nothing; if FAILED, or has relinquished: RELINQUISH     I1
//	         else remember it; a later FAILED is answered by RELINQUISH         I2
//	RELINQUISH: enqueue the lock's request; lock for the head; send LOCKED      Q5
//	RELEASE: lock for the head, if any; send LOCKED                             Q6
//
// Deviations: Q4 is Sanders's; what a node tells itself is no message; the
// threads of a node share a local queue.
type maekawa struct {
	distributed.Quiet
	me    distributed.ID
	local distributed.LocalQueue
	clock int64

	// as requester
	quorum []distributed.ID      // the voters that it asks
	enough func(p *maekawa) bool // whether the votes that it has let it enter
	stamp  int64                 // of the request; 0 while not requesting
	votes  []vote                // by place in quorum
	inside bool

	// as voter
	lock     request   // zero: not locked
	inquired bool      // the lock's holder has been asked to give it back
	queue    []request // in order

	self fifo.Queue[distributed.Message] // messages to itself, within one event
}

// vote is what a requester knows of one member of its quorum.
type vote uint8

const (
	awaited vote = iota
	locked       // has voted for this node
	asked        // has voted and inquired
	refused      // FAILED, or the vote was relinquished
)

// request is a request with its place in the order of all.
type request struct {
	stamp int64
	node  distributed.ID
}

func (r request) before(o request) bool { return before(r.stamp, r.node, o.stamp, o.node) }

func newMaekawa(c distributed.Config) ([]distributed.Node, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	quorums := quorumsOf(c)
	if c.Quorums != nil {
		if err := CheckQuorums(quorums, c.Nodes); err != nil {
			return nil, err
		}
	}
	return c.Build(func(i distributed.ID) distributed.Node {
		return &maekawa{me: i, quorum: quorums[i], enough: (*maekawa).hasAll, votes: make([]vote, len(quorums[i]))}
	})
}

func (p *maekawa) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
		p.settle(out)
	}
}

func (p *maekawa) request(out *distributed.Out) {
	p.clock++ // R1
	p.stamp = p.clock
	for k, j := range p.quorum {
		p.votes[k] = awaited
		p.send(distributed.Request, j, p.stamp, out)
	}
}

func (p *maekawa) Release(_ distributed.Thread, out *distributed.Out) {
	p.release(out)
	p.settle(out)
}

func (p *maekawa) release(out *distributed.Out) {
	for _, j := range p.quorum { // R3
		p.send(distributed.Release, j, p.stamp, out)
	}
	p.stamp, p.inside = 0, false
	if p.local.Remove() {
		p.request(out)
	}
}

// send sends to node j, or to itself for settle to deliver.
func (p *maekawa) send(k distributed.Kind, j distributed.ID, stamp int64, out *distributed.Out) {
	m := distributed.Message{Kind: k, From: p.me, To: j, Who: p.me, Stamp: stamp}
	if k == distributed.Locked {
		m.Clock = p.clock
	}
	if j == p.me {
		p.self.Push(m)
	} else {
		out.Send(m)
	}
}

func (p *maekawa) Receive(m distributed.Message, out *distributed.Out) {
	p.take(m, out)
	p.settle(out)
}

// settle delivers the messages to itself.
func (p *maekawa) settle(out *distributed.Out) {
	for p.self.Len() > 0 {
		p.take(p.self.Pop(), out)
	}
}

func (p *maekawa) take(m distributed.Message, out *distributed.Out) {
	p.clock = max(p.clock, m.Stamp, m.Clock)
	switch m.Kind {
	case distributed.Locked, distributed.Failed, distributed.Inquire:
		if m.Stamp == p.stamp { // else about a request that is over
			p.answer(m, out)
		}
	case distributed.Request:
		p.asks(request{m.Stamp, m.From}, out)
	case distributed.Relinquish: // Q5
		if p.lock == (request{m.Stamp, m.From}) {
			p.enqueue(p.lock)
			p.vote(out)
		}
	case distributed.Release: // Q6
		p.over(request{m.Stamp, m.From}, out)
	}
}

// answer takes a voter's message about the current request.
func (p *maekawa) answer(m distributed.Message, out *distributed.Out) {
	from := slices.Index(p.quorum, m.From)
	switch {
	case from < 0:
		panic(fmt.Sprintf("node %d is not in the quorum of this node", m.From))
	case m.Kind == distributed.Locked:
		p.votes[from] = locked
	case m.Kind == distributed.Failed:
		p.votes[from] = refused
	case !p.inside:
		p.votes[from] = asked
	}
	switch {
	case p.inside:
	case p.enough(p): // R2
		p.inside = true
		out.Grant(p.local.Head())
	case slices.Contains(p.votes, refused): // I1, I2
		for k, v := range p.votes {
			if v == asked {
				p.votes[k] = refused
				p.send(distributed.Relinquish, p.quorum[k], p.stamp, out)
			}
		}
	}
}

// voted reports whether this node has the vote of node j.
func (p *maekawa) voted(j distributed.ID) bool {
	k := slices.Index(p.quorum, j)
	return k >= 0 && (p.votes[k] == locked || p.votes[k] == asked)
}

// hasAll reports whether all of the quorum have voted for this node.
func (p *maekawa) hasAll() bool {
	return !slices.Contains(p.votes, awaited) && !slices.Contains(p.votes, refused)
}

// voting is a node that gives votes and asks for them.
type voting interface {
	distributed.Machine
	ballots() *maekawa
}

func (p *maekawa) ballots() *maekawa { return p }

func (p *maekawa) String() string {
	return fmt.Sprintf("clock=%d stamp=%d votes=%v inside=%v lock=%v inquired=%v queue=%v threads=%v",
		p.clock, p.stamp, p.votes, p.inside, p.lock, p.inquired, p.queue, p.local.Threads())
}
