package permission

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

const treeSource = "Divyakant Agrawal, Amr El Abbadi, An Efficient and Fault-Tolerant Solution for Distributed Mutual Exclusion, ACM TOCS 9(1), 1991, pp. 1–20"

// AgrawalElAbbadi is the specification of [agrawalElAbbadi].
var AgrawalElAbbadi = distributed.Algorithm{
	Name:   "agrawal-el-abbadi",
	Title:  "Agrawal and El Abbadi's tree quorums",
	Source: treeSource,
	Family: distributed.Permission,
	Claims: distributed.Claims{FIFO: true, Timers: true, DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages: "3(K−1) to 5(K−1), and 2 for each 4N ticks of waiting and each vote that is missing; K = log₂(N+1) with no node down, at most (N+1)/2",
		Idle: func(c distributed.Config) (float64, float64) {
			others := meanOthers(Paths(c.Nodes))
			return 3 * others, 3 * others
		},
		Wait: func(c distributed.Config) (float64, float64) {
			if c.Nodes == 2 {
				return 1, 1 // node 0 has the one vote
			}
			return 2, 2
		},
		Throughput: Maekawa.Cost.Throughput,
		SyncDelay:  "2",
		Sync:       func(distributed.Config) (float64, float64) { return 1, 2 }, // 1 where a voter is one of the two
	},
	Invariants: []distributed.Invariant{oneVote, treeQuorum},
	Forms:      slices.Concat(ballots, distributed.Plain(distributed.Ping, distributed.Pong)),
	New:        newAgrawalElAbbadi(false),
}

// AgrawalElAbbadiTimeout is the specification of [agrawalElAbbadi] whose voters take their
// votes back from the dead.
var AgrawalElAbbadiTimeout = distributed.Algorithm{
	Name:   "agrawal-el-abbadi-timeout",
	Title:  "Agrawal and El Abbadi's, with votes taken back from the dead",
	Source: treeSource + "; the timeout is worked out here",
	Family: distributed.Permission,
	Claims: distributed.Claims{
		FIFO: true, Timely: true, DeadlockFree: true, StarvationFree: true,
		Survives: "crashes that leave a quorum: any ⌊log₂ N⌋, and at most all but a path from the root to a leaf", Crash: true, CrashFrom: 3,
	},
	Cost:       AgrawalElAbbadi.Cost,
	Invariants: AgrawalElAbbadi.Invariants,
	Forms:      slices.Concat(ballots, distributed.Plain(distributed.Ping, distributed.Pong)),
	New:        newAgrawalElAbbadi(true),
}

// agrawalElAbbadi asks for the votes of a path from the root of a tree to a leaf,
// and in place of a voter that is down for those of paths from both its children.
//
// Source: Agrawal and El Abbadi 1991. The quorums are theirs; how votes are asked for,
// given and taken back is Maekawa's, with Sanders's correction, and the detection of
// crashed nodes is worked out here.
//
// Messages: those of [maekawa]; Ping, Pong.
//
// Mutual exclusion: two tree quorums share a voter, for every set of crashed nodes and
// for all beliefs of the two requesters. The proof is by induction over the tree: either
// both quorums have the root, or one has a quorum of each child's subtree and the other a
// quorum of one of them. So a wrong timer costs only messages, and in a network that is
// cut in two at most one part has a quorum. Deadlock and starvation freedom are Maekawa's
// while a quorum is possible: any ⌊log₂ N⌋ nodes may be down, or all but a path. A node
// that crashes with votes keeps them. In the base form all nodes wait that need such a
// vote. With the timeout, a voter that others want PINGs the holder of its vote, and
// takes the vote back from a holder that does not answer. That requires that a message
// takes at most a tick. The lock requires FIFO channels, as Maekawa's does.
//
//	quorum(v):  v a leaf: {v}, none if v is down
//	            v up:     {v} and quorum(left), or {v} and quorum(right)
//	            v down:   quorum(left) and quorum(right), none if either is none
//	request:    REQUEST to quorum(root); set the timer to 2 ticks             T1
//	enter:      with the votes of any quorum of the tree                      T2
//	timer:      nodes that were PINGed and have not answered are down         T3
//	            REQUEST to those of quorum(root), of all if it is none, that  T4
//	            were not asked yet; set the timer to 2 ticks
//	            if there are none: PING those without a vote; set the timer   T5
//	            to 2 ticks, or to 4n if all have answered
//	any message from j: j is up                                               T6
//	release:    RELEASE to all that were asked, those that are down included  T7
//	contended:  a voter whose vote others wait for PINGs its holder, each 4n  T8
//	            ticks; it is free if there is no answer within 2 (timeout)
//
// Deviations: all of a quorum are asked at once, and not one by one down the tree.
type agrawalElAbbadi struct {
	maekawa
	tree   voters
	down   []bool // by node: taken for down
	pinged []bool // by node: a PING for its vote, and nothing since
	slow   bool   // the timer is the one of 4n ticks

	takesBack bool           // T8
	watched   distributed.ID // the holder of this node's contended vote, or None
	doubted   bool           // it was PINGed, and nothing since

	want []distributed.ID `state:"scratch"`
}

const timerHolder distributed.TimerID = 1

func newAgrawalElAbbadi(takesBack bool) func(c distributed.Config) ([]distributed.Node, error) {
	return func(c distributed.Config) ([]distributed.Node, error) {
		tree := votersOf(c.Nodes)
		enough := func(p *maekawa) bool { return tree.has(0, p.voted) }
		return c.Build(func(i distributed.ID) distributed.Node {
			return &agrawalElAbbadi{
				maekawa: maekawa{me: i, enough: enough}, tree: tree,
				down: make([]bool, c.Nodes), pinged: make([]bool, c.Nodes),
				takesBack: takesBack, watched: distributed.None,
			}
		})
	}
}

func (p *agrawalElAbbadi) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.ask(out)
		p.after(false, out)
	}
}

func (p *agrawalElAbbadi) ask(out *distributed.Out) {
	p.clock++
	p.stamp = p.clock
	p.extend(out)
}

// extend asks those of a quorum that were not asked yet. It reports whether there
// were any and whether, for all that is known, there is a quorum.
func (p *agrawalElAbbadi) extend(out *distributed.Out) (some, possible bool) {
	p.want, possible = p.tree.quorum(p.want[:0], 0, p.me, p.down)
	if !possible {
		p.want = p.want[:0]
		for j := range distributed.ID(p.tree) {
			p.want = append(p.want, j)
		}
	}
	for _, j := range p.want { // T1, T4
		if !slices.Contains(p.quorum, j) {
			p.quorum, p.votes = append(p.quorum, j), append(p.votes, awaited)
			p.send(distributed.Request, j, p.stamp, out)
			some = true
		}
	}
	if some {
		p.slow = false
		out.Set(timerPoll, 2)
	}
	return some, possible
}

func (p *agrawalElAbbadi) Release(_ distributed.Thread, out *distributed.Out) {
	for _, j := range p.quorum { // T7
		p.send(distributed.Release, j, p.stamp, out)
	}
	p.stamp, p.inside = 0, false
	p.quorum, p.votes = p.quorum[:0], p.votes[:0]
	if p.local.Remove() {
		p.ask(out)
	}
	p.after(false, out)
}

func (p *agrawalElAbbadi) Receive(m distributed.Message, out *distributed.Out) {
	p.hear(m.From, out)
	switch m.Kind {
	case distributed.Ping:
		out.Send(distributed.Message{Kind: distributed.Pong, From: p.me, To: m.From})
	case distributed.Pong:
	default:
		inside := p.inside
		p.take(m, out)
		p.after(inside, out)
	}
}

// hear notes that node j is up.
func (p *agrawalElAbbadi) hear(j distributed.ID, out *distributed.Out) { // T6
	p.down[j] = false
	if p.pinged[j] {
		p.pinged[j] = false
		if !slices.Contains(p.pinged, true) {
			p.wait(out)
		}
	}
	if p.doubted && p.watched == j {
		p.doubted = false
		out.Set(timerHolder, p.long())
	}
}

// long is the time between PINGs to those that answer, in ticks.
func (p *agrawalElAbbadi) long() int32 { return int32(4 * len(p.down)) }

func (p *agrawalElAbbadi) wait(out *distributed.Out) {
	p.slow = true
	out.Set(timerPoll, p.long())
}

// after ends an event before which the node was inside or was not.
func (p *agrawalElAbbadi) after(inside bool, out *distributed.Out) {
	p.settle(out)
	if p.inside && !inside {
		clear(p.pinged)
		p.slow = false
		out.Cancel(timerPoll)
	}
	if p.takesBack {
		p.watch(out)
	}
}

// watch watches the holder of this node's vote while others want the vote.
func (p *agrawalElAbbadi) watch(out *distributed.Out) {
	holder := distributed.None
	if p.lock != (request{}) && p.lock.node != p.me && len(p.queue) > 0 {
		holder = p.lock.node
	}
	if holder == p.watched {
		return
	}
	p.watched, p.doubted = holder, false
	if holder == distributed.None {
		out.Cancel(timerHolder)
	} else {
		out.Set(timerHolder, p.long())
	}
}

func (p *agrawalElAbbadi) Expire(t distributed.TimerID, out *distributed.Out) {
	if t == timerHolder {
		p.doubt(out)
	} else {
		p.poll(out)
	}
	p.after(p.inside, out)
}

// doubt PINGs the holder of this node's vote, or takes the vote back after a PING.
func (p *agrawalElAbbadi) doubt(out *distributed.Out) { // T8
	if p.doubted {
		p.watched, p.doubted = distributed.None, false
		p.vote(out)
		return
	}
	p.doubted = true
	out.Send(distributed.Message{Kind: distributed.Ping, From: p.me, To: p.watched})
	out.Set(timerHolder, 2)
}

// poll looks after the votes that are missing.
func (p *agrawalElAbbadi) poll(out *distributed.Out) {
	for j := range p.pinged { // T3
		if p.pinged[j] {
			p.pinged[j], p.down[j] = false, true
		}
	}
	some, possible := p.extend(out)
	if some {
		return
	}
	for k, j := range p.quorum { // T5
		missing := p.votes[k] == awaited || p.votes[k] == refused && p.slow
		if missing && j != p.me && !(possible && p.down[j]) {
			p.pinged[j] = true
			out.Send(distributed.Message{Kind: distributed.Ping, From: p.me, To: j})
			some = true
		}
	}
	if !some {
		p.wait(out)
		return
	}
	p.slow = false
	out.Set(timerPoll, 2)
}

func (p *agrawalElAbbadi) String() string {
	which := func(is []bool) (ids []int) {
		for j, b := range is {
			if b {
				ids = append(ids, j)
			}
		}
		return ids
	}
	return fmt.Sprintf("asked=%v %v down=%v pinged=%v slow=%v watched=%v doubted=%v",
		p.quorum, &p.maekawa, which(p.down), which(p.pinged), p.slow, p.watched, p.doubted)
}
