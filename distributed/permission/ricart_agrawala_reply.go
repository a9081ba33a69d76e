package permission

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// RicartAgrawalaReply is the specification of [ricartAgrawalaReply].
var RicartAgrawalaReply = distributed.Algorithm{
	Name:   "ricart-agrawala-reply",
	Title:  "Ricart and Agrawala's, with a reply to every request and retries",
	Source: "after Paul Krzyzanowski, Mutual Exclusion & Election Algorithms, lecture, 2018; Glenn Ricart, Ashok K. Agrawala, CACM 24(1), 1981, pp. 9–17",
	Family: distributed.Permission,
	Claims: distributed.Claims{
		Timers: true, DeadlockFree: true, StarvationFree: true,
		Survives: "lost and duplicated messages, if one that is sent again and again eventually arrives", Loss: true, Duplication: true,
	},
	Cost: distributed.Cost{
		Messages:  "2(N−1), a NO for each that defers, and 2 for each poll of one that has not said OK",
		Idle:      func(c distributed.Config) (float64, float64) { return exactly(2 * (c.Nodes - 1)) },
		SyncDelay: "1",
		Sync:      func(distributed.Config) (float64, float64) { return 1, 1 },
		Bypass:    func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{stampOrder("Ricart and Agrawala 1981", func(v *distributed.View, i distributed.ID) int64 {
		return distributed.NodeOf[*ricartAgrawalaReply](v, i).my
	})},
	Forms: distributed.Plain(distributed.Request, distributed.OK, distributed.No),
	New: func(c distributed.Config) ([]distributed.Node, error) {
		return c.Build(func(i distributed.ID) distributed.Node {
			return &ricartAgrawalaReply{me: i, said: make([]answer, c.Nodes), deferred: make([]int64, c.Nodes)}
		})
	},
}

// ricartAgrawalaReply answers every request at once, with OK or NO, and asks
// again until all have said OK.
//
// Source: Krzyzanowski 2018: "having the sender always send a reply to a message:
// either an OK or a NO. When the request or the reply is lost, the sender will time
// out and retry." The rules are worked out here.
//
// Messages: Request, OK and No, each with Stamp: that of the request.
//
// Mutual exclusion: who says OK to request (k, j) has no earlier request, and will
// never make one, for highest is at least k then. So of two inside the one with
// the later request lacks the other's OK. An OK is for one stamp and is a mark,
// not a count, so that what comes twice, or late, does nothing. No process starves
// if messages are lost only now and then: polls go on, also after a NO, and an OK
// is never taken back. The messages of a pair may overtake each other, and no
// timeout is wrong, only expensive.
//
//	request: highest++; my := highest; said := none; send REQUEST(my) to all  R1
//	         others; set the timer
//	timer:   send REQUEST(my), the same, to all that have not said OK; set    R2
//	         the timer
//	REQUEST(k) from j: highest := max(highest, k)
//	         if my ≠ 0 and (my, me) < (k, j)
//	         then deferred[j] := max(deferred[j], k); send NO(k) to j         R3
//	         else send OK(k) to j                                             R4
//	OK(k) from j, k = my: said[j] := OK; when all have: enter                 R5
//	NO(k) from j, k = my: said[j] := NO, unless it is OK                      R6
//	release: my := 0; send OK(deferred[j]) to each j with one                 R7
//
// The timer is three ticks, above a round trip, while a node has not answered, and 4n
// ticks when all missing replies have been deferred: R7's OKs are sent once.
//
// Deviations: the threads of a node share a local queue.
type ricartAgrawalaReply struct {
	me       distributed.ID
	local    distributed.LocalQueue
	highest  int64
	my       int64 // 0 while not requesting
	inside   bool
	said     []answer
	deferred []int64 // by node: the greatest stamp that was answered by NO, or 0
}

type answer uint8

const (
	nothing answer = iota
	no
	ok
)

const timerPoll distributed.TimerID = 0

func (p *ricartAgrawalaReply) Start(*distributed.Out) {}

func (p *ricartAgrawalaReply) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
	}
}

func (p *ricartAgrawalaReply) request(out *distributed.Out) {
	p.highest++ // R1
	p.my = p.highest
	clear(p.said)
	p.said[p.me] = ok
	p.poll(out)
}

func (p *ricartAgrawalaReply) poll(out *distributed.Out) {
	for j, a := range p.said {
		if a != ok {
			out.Send(distributed.Message{Kind: distributed.Request, From: p.me, To: distributed.ID(j), Who: p.me, Stamp: p.my})
		}
	}
	p.await(out)
}

// await sets the timer for those that have not said OK.
func (p *ricartAgrawalaReply) await(out *distributed.Out) {
	if slices.Contains(p.said, nothing) {
		out.Set(timerPoll, 3)
	} else {
		out.Set(timerPoll, int32(4*len(p.said)))
	}
}

func (p *ricartAgrawalaReply) answer(k distributed.Kind, j distributed.ID, stamp int64, out *distributed.Out) {
	out.Send(distributed.Message{Kind: k, From: p.me, To: j, Stamp: stamp})
}

func (p *ricartAgrawalaReply) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request:
		p.highest = max(p.highest, m.Stamp)
		if p.my != 0 && before(p.my, p.me, m.Stamp, m.From) { // R3
			p.deferred[m.From] = max(p.deferred[m.From], m.Stamp)
			p.answer(distributed.No, m.From, m.Stamp, out)
		} else { // R4
			p.answer(distributed.OK, m.From, m.Stamp, out)
		}
	case distributed.OK:
		if m.Stamp == p.my && !p.inside { // R5
			p.hear(m.From, ok, out)
		}
	case distributed.No:
		if m.Stamp == p.my && p.said[m.From] == nothing { // R6
			p.hear(m.From, no, out)
		}
	}
}

// hear notes an answer.
func (p *ricartAgrawalaReply) hear(j distributed.ID, a answer, out *distributed.Out) {
	silent := p.said[j] == nothing
	p.said[j] = a
	switch {
	case !slices.ContainsFunc(p.said, func(a answer) bool { return a != ok }):
		p.inside = true
		out.Cancel(timerPoll)
		out.Grant(p.local.Head())
	case silent && !slices.Contains(p.said, nothing): // the last that was silent
		p.await(out)
	}
}

func (p *ricartAgrawalaReply) Expire(_ distributed.TimerID, out *distributed.Out) { p.poll(out) } // R2

func (p *ricartAgrawalaReply) Release(_ distributed.Thread, out *distributed.Out) {
	p.my, p.inside = 0, false // R7
	for j, k := range p.deferred {
		if k != 0 {
			p.deferred[j] = 0
			p.answer(distributed.OK, distributed.ID(j), k, out)
		}
	}
	if p.local.Remove() {
		p.request(out)
	}
}

func (p *ricartAgrawalaReply) String() string {
	return fmt.Sprintf("highest=%d my=%d inside=%v said=%v deferred=%v threads=%v", p.highest, p.my, p.inside, p.said, p.deferred, p.local.Threads())
}

func (a answer) String() string { return [...]string{"-", "no", "ok"}[a] }
