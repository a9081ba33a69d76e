package failover

import (
	"fmt"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// reigning completes a specification of reign; first is the first node that may coordinate.
func reigning(a distributed.Algorithm, first distributed.ID, voters func(c distributed.Config) []distributed.ID) distributed.Algorithm {
	a.Source = "after David K. Gifford, Weighted Voting for Replicated Data, SOSP 1979, pp. 150–162, and Cary G. Gray, David R. Cheriton, Leases, SOSP 1989, pp. 202–210; asked for by Paul Krzyzanowski, Mutual Exclusion & Election Algorithms, 2018, \"Network partitioning\""
	a.Family, a.Lease = distributed.Central, true
	a.Claims.FIFO, a.Claims.Timely, a.Claims.DeadlockFree, a.Claims.StarvationFree = true, true, true, true
	a.Claims.Crash, a.Claims.Restart, a.Claims.Loss = true, true, true
	a.Cost.SyncDelay = "4"
	a.Cost.Sync = func(distributed.Config) (float64, float64) { return 2, 4 } // the coordinator's own release and grant are free
	a.Invariants = []distributed.Invariant{oneReign}
	a.Forms = slices.Concat(distributed.Plain(distributed.Request, distributed.Ping, distributed.Pong, distributed.Grant, distributed.Release, distributed.Moved, distributed.Claim, distributed.OK), distributed.Forms{{Kind: distributed.Refused, Nobody: true}})
	a.New = func(c distributed.Config) ([]distributed.Node, error) {
		return c.Build(func(i distributed.ID) distributed.Node {
			return newReign(i, c.Nodes, first, voters(c), c.LeaseTicks())
		})
	}
	return a
}

// reign is a client, for its own threads; a coordinator, for every node that asks it; and
// a voter, if it is among the voters. There is no election: a node whose coordinator does
// not answer asks the next node, and eventually itself. But a coordinator grants nothing
// before a majority of the voters has voted for it, for this grant. The voters are all
// nodes, or one node that no cut separates from any other: a register that all nodes can
// read and write.
//
// Messages: Request, Ping (a repeated request that must be answered), Pong, Grant,
// Release; Claim, OK, Refused (Who: the node that has the vote, or None); Moved (Who: the
// node to ask). Nothing survives a crash.
//
// Mutual exclusion holds as long as a message takes at most a tick, clocks run at the
// same rate and a thread that must leave does so. A vote belongs to one node for L+6
// ticks from each claim, and two majorities have a voter in common. A permission lasts L
// ticks. The coordinator grants it at most 2 ticks after the claim of its round, and the
// grant is at most a tick under way. A counted vote may answer the claim of the round
// before, at most 2 ticks earlier. In a network that is cut, at most one side has a
// majority of voters, and this side makes progress: the winner comes to coordinate all
// nodes of its side, in the order of their requests. The messages of a pair must arrive
// in order. Otherwise a request that overtakes a release is taken for an earlier request.
//
//	request:  ask the coordinator: send REQUEST; watch it                 R1
//	watch:    4 ticks without a word: send PING; no PONG in 2 ticks: ask  R2
//	          the next node
//	MOVED(o) from the coordinator: ask o                                  R3
//	GRANT:    not waiting: send RELEASE                                   R4
//	          else enter; the lease: L ticks                              R5
//	release:  send RELEASE to the granter                                 R6
//	lease:    the thread must leave; as release                           R7
//
//	REQUEST, PING: enqueue the sender unless it is there or holds; serve     C1
//	PING:     send PONG                                                      C2
//	serve:    no holder, no round: begin a round: send CLAIM to all voters;  C3
//	          the round lasts 2 ticks
//	OK of a majority: dequeue the holder; send GRANT; its lease: L+2 ticks   C4
//	all have answered, or 2 ticks: o := the node with a majority of votes,    C5
//	          else the least of this node and those that have votes
//	          if o is another: send MOVED(o) to all in the queue; ask o      C6
//	          else wait 2 ticks; serve                                       C7
//	RELEASE from the holder, or its lease: no holder; serve                  C8
//
//	CLAIM from j: the vote is j's or free: it is j's for L+6 ticks;  V1
//	          send OK; else send REFUSED(its owner)                  V2
//	recovery: gives no vote and claims nothing for L+6 ticks         V3
type reign struct {
	me, first distributed.ID
	n         int
	lease     int32
	voters    []distributed.ID // one after the other, from the first

	// the client
	local       distributed.LocalQueue
	phase       phase
	coordinator distributed.ID // the node that it asks
	pinged      bool           // no Pong since
	granter     distributed.ID

	// the coordinator
	queue   fifo.Queue[distributed.ID]
	holder  distributed.ID
	round   round
	answers []distributed.ID // by voter: the owner of its vote, unknown so far

	// the voter
	vote distributed.ID
	mute bool
}

// round is what a coordinator does to get votes.
type round uint8

const (
	quiet round = iota
	claiming
	pausing
)

// unknown is the answer that has not come.
const unknown = distributed.None - 1

// The timers of reign.
const (
	timerClient distributed.TimerID = iota // watches the coordinator, or is the lease
	timerHolder                            // the holder's lease
	timerRound                             // all answers are there, or the pause is over
	timerVote                              // the vote is free again
)

func newReign(i distributed.ID, n int, first distributed.ID, voters []distributed.ID, lease int32) *reign {
	p := &reign{
		me: i, first: first, n: n, lease: lease, voters: voters, coordinator: first,
		granter: distributed.None, holder: distributed.None, vote: distributed.None, answers: make([]distributed.ID, len(voters)),
	}
	p.end(quiet)
	return p
}

func (p *reign) Start(*distributed.Out) {}

func (p *reign) to(j distributed.ID, k distributed.Kind, who distributed.ID, out *distributed.Out) {
	out.Send(distributed.Message{Kind: k, From: p.me, To: j, Who: who})
}

func (p *reign) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.ask(p.coordinator, out)
	}
}

// ask makes node j the coordinator of this node and sends it the request.
func (p *reign) ask(j distributed.ID, out *distributed.Out) {
	p.phase, p.coordinator, p.pinged = asking, j, false // R1
	if j == p.me {
		out.Cancel(timerClient)
		p.enqueue(p.me, out)
		return
	}
	p.to(j, distributed.Request, p.me, out)
	out.Set(timerClient, 4)
}

// enter lets the head of the local queue enter, with the permission of node j.
func (p *reign) enter(j distributed.ID, out *distributed.Out) {
	p.phase, p.granter, p.pinged = inside, j, false // R5
	out.Set(timerClient, p.lease)
	out.Grant(p.local.Head())
}

func (p *reign) Release(_ distributed.Thread, out *distributed.Out) {
	out.Cancel(timerClient)
	p.left(out)
}

// left notes that this node's thread has left.
func (p *reign) left(out *distributed.Out) {
	granter := p.granter
	p.phase, p.granter = away, distributed.None
	again := p.local.Remove()
	if granter == p.me {
		p.free(p.me, out)
	} else {
		p.to(granter, distributed.Release, p.me, out) // R6
	}
	if again {
		p.ask(p.coordinator, out)
	}
}

func (p *reign) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request: // C1
		p.enqueue(m.From, out)
	case distributed.Ping: // C2
		p.to(m.From, distributed.Pong, p.me, out)
		p.enqueue(m.From, out)
	case distributed.Pong:
		if p.phase == asking && m.From == p.coordinator {
			p.pinged = false
			out.Set(timerClient, 4)
		}
	case distributed.Grant:
		if p.phase == asking {
			p.enter(m.From, out)
		} else {
			p.to(m.From, distributed.Release, p.me, out) // R4
		}
	case distributed.Moved:
		if p.phase == asking && m.From == p.coordinator { // R3
			p.ask(m.Who, out)
		}
	case distributed.Release:
		p.free(m.From, out)
	case distributed.Claim:
		says := p.voteFor(m.From, out)
		p.to(m.From, says, p.vote, out)
	case distributed.OK:
		p.answer(m.From, p.me, out)
	case distributed.Refused:
		p.answer(m.From, m.Who, out)
	}
}

func (p *reign) Expire(t distributed.TimerID, out *distributed.Out) {
	switch {
	case t == timerVote:
		p.vote, p.mute = distributed.None, false
	case t == timerHolder:
		p.free(p.holder, out)
	case t == timerRound && p.round == claiming:
		p.lost(out)
	case t == timerRound:
		p.end(quiet)
		p.serve(out)
	case p.phase == inside: // R7
		out.Revoke(p.local.Head())
		p.left(out)
	case !p.pinged: // R2
		p.pinged = true
		p.to(p.coordinator, distributed.Ping, p.me, out)
		out.Set(timerClient, 2)
	default:
		p.ask(p.after(p.coordinator), out)
	}
}

// after returns the node to ask after node j.
func (p *reign) after(j distributed.ID) distributed.ID {
	if j++; int(j) == p.n {
		return p.first
	}
	return j
}

// Recover implements [distributed.Recoverer].
func (p *reign) Recover(out *distributed.Out) {
	*p = *newReign(p.me, p.n, p.first, p.voters, p.lease)
	if p.mute = p.votes(); p.mute { // V3
		out.Set(timerVote, p.lease+6)
	}
	p.end(pausing)
	out.Set(timerRound, p.lease+6)
}

// oneReign says that no two nodes have the votes of a majority.
var oneReign = distributed.Invariant{
	Name: "one reign", Source: "this package's rules V1 and V2; Gifford 1979, section 2: two quorums have a vote in common",
	Holds: func(v *distributed.View) error {
		reigns := distributed.None
		for i := range distributed.ID(len(v.Nodes)) {
			p := distributed.NodeOf[*reign](v, i)
			if p.holder == distributed.None || v.Down[i] {
				continue
			}
			if reigns != distributed.None {
				return fmt.Errorf("nodes %d and %d both have a holder", reigns, i)
			}
			reigns = i
		}
		return nil
	},
}

func (p *reign) String() string {
	return fmt.Sprintf("asks=%d phase=%d pinged=%v granter=%d holder=%d queue=%v round=%d answers=%v vote=%d mute=%v threads=%v",
		p.coordinator, p.phase, p.pinged, p.granter, p.holder, p.queue.Slice(), p.round, p.answers, p.vote, p.mute, p.local.Threads())
}
