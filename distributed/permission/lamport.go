package permission

import (
	"fmt"

	"shmbench/distributed"
)

// Lamport is the specification of [lamport].
var Lamport = distributed.Algorithm{
	Name:   "lamport",
	Title:  "Lamport's timestamps",
	Source: "Leslie Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, CACM 21(7), 1978, pp. 558–565",
	Family: distributed.Permission,
	Claims: distributed.Claims{FIFO: true, DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages:   "3(N−1)",
		Idle:       func(c distributed.Config) (float64, float64) { return exactly(3 * (c.Nodes - 1)) },
		Busy:       func(c distributed.Config) (float64, float64) { return exactly(3 * (c.Nodes - 1)) },
		Wait:       func(distributed.Config) (float64, float64) { return 2, 2 },
		Throughput: func(distributed.Config) (float64, float64) { return 1, 1 },
		Lone:       func(c distributed.Config) (float64, float64) { return exactly(3 * (c.Nodes - 1)) },
		Share:      even,
		SyncDelay:  "1",
		Sync:       func(distributed.Config) (float64, float64) { return 1, 1 },
		Bypass:     func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{stampOrder("Lamport 1978, p. 561", func(v *distributed.View, i distributed.ID) int64 {
		return distributed.NodeOf[*lamport](v, i).queue[i]
	})},
	Forms: distributed.Plain(distributed.Request, distributed.Ack, distributed.Release),
	New:   newLamport,
}

// lamport keeps, on every node, the queue of all requests in the order of their
// timestamps; the first enters when no request can come before it any more.
//
// Source: Lamport 1978, p. 561, rules 1 to 5.
//
// Messages: Request, Ack, Release, each with Stamp: the sender's clock.
//
// Mutual exclusion: once a later timestamp has come from every other node,
// each earlier request of theirs has come too, for messages of a pair arrive in
// order; of two requests one is earlier, and its node has not released it.
// Requests are served in the order of their timestamps, so no process starves.
//
//	request:       clock++; queue[me] := clock; send REQUEST to all      R1
//	any message, with timestamp k, from j:
//	               clock := max(clock, k + 1)
//	               if k > queue[me] then later[j] := true                M1
//	REQUEST(k, j): queue[j] := k; send ACK to j                          R2
//	RELEASE(k, j): queue[j] := none                                      R4
//	enter:         when queue[me] is the least in queue, and later[j]
//	               for all others j                                      R5
//	release:       clock++; queue[me] := none; send RELEASE to all       R3
//
// Deviations: a node asks at most once at a time, so that the queue is one
// place a node; later[j] says of the timestamps received just what R5 asks.
// The threads of a node share a local queue.
type lamport struct {
	distributed.Quiet
	me     distributed.ID
	local  distributed.LocalQueue
	clock  int64
	inside bool
	queue  []int64 // by node: its request's timestamp, 0 for none
	later  []bool  // by node: a timestamp later than this node's request has come
}

func newLamport(c distributed.Config) ([]distributed.Node, error) {
	return c.Build(func(i distributed.ID) distributed.Node {
		return &lamport{me: i, queue: make([]int64, c.Nodes), later: make([]bool, c.Nodes)}
	})
}

func (p *lamport) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
	}
}

func (p *lamport) request(out *distributed.Out) {
	p.clock++ // R1
	p.queue[p.me] = p.clock
	clear(p.later)
	p.broadcast(distributed.Request, out)
}

func (p *lamport) Release(_ distributed.Thread, out *distributed.Out) {
	p.clock++ // R3
	p.queue[p.me] = 0
	clear(p.later)
	p.inside = false
	p.broadcast(distributed.Release, out)
	if p.local.Remove() {
		p.request(out)
	}
}

func (p *lamport) broadcast(k distributed.Kind, out *distributed.Out) {
	out.Broadcast(distributed.Message{Kind: k, From: p.me, Who: p.me, Stamp: p.clock}, len(p.queue))
}

func (p *lamport) Receive(m distributed.Message, out *distributed.Out) {
	p.clock = max(p.clock, m.Stamp+1)
	if mine := p.queue[p.me]; mine != 0 && before(mine, p.me, m.Stamp, m.From) { // M1
		p.later[m.From] = true
	}
	switch m.Kind {
	case distributed.Request: // R2
		p.queue[m.From] = m.Stamp
		out.Send(distributed.Message{Kind: distributed.Ack, From: p.me, To: m.From, Stamp: p.clock})
	case distributed.Release: // R4
		p.queue[m.From] = 0
	}
	if p.queue[p.me] != 0 && !p.inside && p.first() { // R5
		p.inside = true
		out.Grant(p.local.Head())
	}
}

// first reports whether no request can come before this node's.
func (p *lamport) first() bool {
	mine := p.queue[p.me]
	for j := range distributed.ID(len(p.queue)) {
		if j == p.me {
			continue
		}
		if !p.later[j] || p.queue[j] != 0 && before(p.queue[j], j, mine, p.me) {
			return false
		}
	}
	return true
}

func (p *lamport) String() string {
	return fmt.Sprintf("clock=%d queue=%v later=%v inside=%v threads=%v", p.clock, p.queue, p.later, p.inside, p.local.Threads())
}
