package permission

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// RicartAgrawalaTimeout is the specification of [ricartAgrawalaTimeout].
var RicartAgrawalaTimeout = distributed.Algorithm{
	Name:   "ricart-agrawala-timeout",
	Title:  "Ricart and Agrawala's, with a timeout that finds the dead",
	Source: "Glenn Ricart, Ashok K. Agrawala, An Optimal Algorithm for Mutual Exclusion in Computer Networks, CACM 24(1), 1981, pp. 9–17, on node failures; Ethan Blanton, Mutual Exclusion, CSE 486 lecture, University at Buffalo, 2021–2024, \"Failures and FLP\"",
	Family: distributed.Permission,
	Claims: distributed.Claims{Timely: true, DeadlockFree: true, StarvationFree: true, Survives: "crashes of all nodes but one", Crash: true},
	Cost: distributed.Cost{
		Messages:  "2(N−1), and 2 for each 2 ticks of waiting and each reply that is missing",
		Idle:      func(c distributed.Config) (float64, float64) { return exactly(2 * (c.Nodes - 1)) },
		SyncDelay: "1",
		Sync:      func(distributed.Config) (float64, float64) { return 1, 1 },
		Bypass:    func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{stampOrder("Ricart and Agrawala 1981", func(v *distributed.View, i distributed.ID) int64 {
		return distributed.NodeOf[*ricartAgrawalaTimeout](v, i).my
	})},
	Forms: distributed.Plain(distributed.Request, distributed.Reply, distributed.Ping, distributed.Pong),
	New: func(c distributed.Config) ([]distributed.Node, error) {
		return c.Build(func(i distributed.ID) distributed.Node {
			return &ricartAgrawalaTimeout{me: i, peers: make([]peer, c.Nodes)}
		})
	},
}

// ricartAgrawalaTimeout asks nodes whose reply is missing whether they live, and stops
// waiting for a node that does not answer.
//
// Source: Ricart and Agrawala 1981; the rules of the timeout are worked out here.
//
// Messages: Request (Stamp: its sequence number), Reply, Ping, Pong.
//
// Mutual exclusion and progress as with Ricart and Agrawala's, as long as a
// message takes at most a tick: a reply may take as long as a critical section,
// a Pong takes two ticks, from a node that is inside too. With a timeout too
// early the living are taken for dead, and two are inside. The messages of a pair
// may overtake each other.
//
//	request: highest++; my := highest; need := all others that are not dead
//	         send REQUEST(my) to need; set the timer to 2 ticks            T1
//	REQUEST(k) from j: highest := max(highest, k)
//	         if my ≠ 0 and (my, me) < (k, j) then defer j else send REPLY  T2
//	REPLY from j: need j no more; when need is empty: enter                T3
//	PING:    send PONG, in every state                                     T4
//	PONG from j: j lives                                                   T5
//	timer:   nodes that were asked and have not answered are dead;         T6
//	         when need is empty: enter
//	         else send PING to all that are; set the timer to 2 ticks      T7
//	release: my := 0; send REPLY to all deferred                           T8
//
// Deviations: the threads of a node share a local queue.
type ricartAgrawalaTimeout struct {
	me      distributed.ID
	local   distributed.LocalQueue
	highest int64
	my      int64 // 0 while not requesting
	peers   []peer
}

// peer is what a node knows of another.
type peer struct {
	need     bool // its reply is missing
	asked    bool // a Ping, and no Pong since
	dead     bool
	deferred bool
}

func (p *ricartAgrawalaTimeout) Start(*distributed.Out) {}

func (p *ricartAgrawalaTimeout) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
	}
}

func (p *ricartAgrawalaTimeout) request(out *distributed.Out) {
	p.highest++ // T1
	p.my = p.highest
	for j := range p.peers {
		if q := &p.peers[j]; distributed.ID(j) != p.me && !q.dead {
			q.need, q.asked = true, false
			out.Send(distributed.Message{Kind: distributed.Request, From: p.me, To: distributed.ID(j), Who: p.me, Stamp: p.my})
		}
	}
	out.Set(timerPoll, 2)
	p.enter(out)
}

// enter lets the head of the local queue in if no reply is needed.
func (p *ricartAgrawalaTimeout) enter(out *distributed.Out) bool {
	if slices.ContainsFunc(p.peers, func(q peer) bool { return q.need }) {
		return false
	}
	out.Cancel(timerPoll)
	out.Grant(p.local.Head())
	return true
}

func (p *ricartAgrawalaTimeout) Receive(m distributed.Message, out *distributed.Out) {
	from := &p.peers[m.From]
	switch m.Kind {
	case distributed.Request: // T2
		p.highest = max(p.highest, m.Stamp)
		if p.my != 0 && before(p.my, p.me, m.Stamp, m.From) {
			from.deferred = true
		} else {
			out.Send(distributed.Message{Kind: distributed.Reply, From: p.me, To: m.From})
		}
	case distributed.Reply: // T3
		if from.need {
			from.need, from.asked = false, false
			p.enter(out)
		}
	case distributed.Ping: // T4
		out.Send(distributed.Message{Kind: distributed.Pong, From: p.me, To: m.From})
	case distributed.Pong: // T5
		from.asked = false
	}
}

func (p *ricartAgrawalaTimeout) Expire(_ distributed.TimerID, out *distributed.Out) {
	for j := range p.peers { // T6
		if q := &p.peers[j]; q.asked {
			*q = peer{dead: true}
		}
	}
	if p.enter(out) {
		return
	}
	for j := range p.peers { // T7
		if q := &p.peers[j]; q.need {
			q.asked = true
			out.Send(distributed.Message{Kind: distributed.Ping, From: p.me, To: distributed.ID(j)})
		}
	}
	out.Set(timerPoll, 2)
}

func (p *ricartAgrawalaTimeout) Release(_ distributed.Thread, out *distributed.Out) {
	p.my = 0 // T8
	for j := range p.peers {
		if q := &p.peers[j]; q.deferred {
			q.deferred = false
			out.Send(distributed.Message{Kind: distributed.Reply, From: p.me, To: distributed.ID(j)})
		}
	}
	if p.local.Remove() {
		p.request(out)
	}
}

func (p *ricartAgrawalaTimeout) String() string {
	which := func(is func(peer) bool) (ids []int) {
		for j, q := range p.peers {
			if is(q) {
				ids = append(ids, j)
			}
		}
		return ids
	}
	return fmt.Sprintf("highest=%d my=%d need=%v asked=%v dead=%v deferred=%v threads=%v", p.highest, p.my,
		which(func(q peer) bool { return q.need }), which(func(q peer) bool { return q.asked }),
		which(func(q peer) bool { return q.dead }), which(func(q peer) bool { return q.deferred }), p.local.Threads())
}
