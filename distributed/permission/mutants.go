package permission

import (
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
	"shmbench/distributed/internal/tamper"
)

// Mutants are the algorithms of this package, each with one flaw.
var Mutants = []distributed.Algorithm{
	tamper.Mutant(Central, "central-grants-at-once", "a coordinator that grants whether or not a thread is in its critical section", tamper.Hooks[*central]{
		Receive: func(p *central, m distributed.Message, out *distributed.Out) {
			before := len(out.Messages)
			p.Receive(m, out)
			if m.Kind == distributed.Request && len(out.Messages) == before {
				out.Send(distributed.Message{Kind: distributed.Grant, From: p.me, To: m.From})
			}
		},
	}),
	tamper.Mutant(Central, "central-newest-first", "a coordinator whose queue is last in first out", tamper.Hooks[*central]{
		Receive: func(p *central, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			if ids := p.queue.Slice(); m.Kind == distributed.Request && len(ids) > 2 {
				p.queue = fifo.Queue[distributed.ID]{}
				p.queue.Push(ids[0])
				p.queue.Push(m.From)
				for _, id := range ids[1 : len(ids)-1] {
					p.queue.Push(id)
				}
			}
		},
	}),
	tamper.Mutant(Lamport, "lamport-one-ack", "a request that waits for one answer, not for all", tamper.Hooks[*lamport]{
		Request: func(p *lamport, t distributed.Thread, out *distributed.Out) {
			p.Request(t, out)
			for j := range p.later {
				p.later[j] = true
			}
		},
	}),
	tamper.Mutant(Lamport, "lamport-silent-release", "a release that no node hears", tamper.SilentRelease[*lamport](distributed.Release)),
	tamper.Mutant(RicartAgrawala, "ricart-agrawala-tie-replies", "of two equal timestamps, both reply", tamper.Hooks[*ricartAgrawala]{
		Receive: func(p *ricartAgrawala, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.Request && m.Stamp == p.ourSequenceNumber {
				m.Stamp--
			}
			p.Receive(m, out)
		},
	}),
	tamper.Mutant(RicartAgrawala, "ricart-agrawala-tie-defers", "of two equal timestamps, both defer", tamper.Hooks[*ricartAgrawala]{
		Receive: func(p *ricartAgrawala, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.Request && m.Stamp == p.ourSequenceNumber {
				m.Stamp++
			}
			p.Receive(m, out)
		},
	}),
	tamper.Mutant(RicartAgrawala, "ricart-agrawala-replies-inside", "a node that replies while its thread is in its critical section", tamper.Hooks[*ricartAgrawala]{
		Receive: func(p *ricartAgrawala, m distributed.Message, out *distributed.Out) {
			requesting := p.requestingCriticalSection
			p.requestingCriticalSection = requesting && p.outstandingReplyCount > 0
			p.Receive(m, out)
			p.requestingCriticalSection = requesting
		},
	}),
	tamper.Mutant(RicartAgrawala, "ricart-agrawala-forgets-deferred", "a release that sends no reply", tamper.Hooks[*ricartAgrawala]{
		Release: func(p *ricartAgrawala, t distributed.Thread, out *distributed.Out) {
			clear(p.replyDeferred)
			p.Release(t, out)
		},
	}),
	tamper.Mutant(RicartAgrawala, "ricart-agrawala-own-clock", "a clock that does not follow the timestamps received", tamper.Hooks[*ricartAgrawala]{
		Receive: func(p *ricartAgrawala, m distributed.Message, out *distributed.Out) {
			highest := p.highestSequenceNumber
			p.Receive(m, out)
			p.highestSequenceNumber = highest
		},
	}),
	lecture,
	tamper.Mutant(RicartAgrawalaReply, "ricart-agrawala-reply-no-stamp", "an OK that counts for any request", tamper.Hooks[*ricartAgrawalaReply]{
		Receive: func(p *ricartAgrawalaReply, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.OK && p.my != 0 {
				m.Stamp = p.my
			}
			p.Receive(m, out)
		},
	}),
	tamper.Mutant(RicartAgrawalaReply, "ricart-agrawala-reply-stop-on-no", "a node that asks no more once all have answered", tamper.Hooks[*ricartAgrawalaReply]{
		Receive: func(p *ricartAgrawalaReply, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			if !slices.Contains(p.said, nothing) {
				out.Cancel(timerPoll)
			}
		},
	}),
	tamper.Mutant(RicartAgrawalaReply, "ricart-agrawala-reply-no-retry", "a node that asks once", tamper.Hooks[*ricartAgrawalaReply]{
		Expire: func(*ricartAgrawalaReply, distributed.TimerID, *distributed.Out) {},
	}),
	tamper.Mutant(RicartAgrawalaTimeout, "ricart-agrawala-timeout-no-probe", "a node that takes a missing reply for a sign of death", tamper.Hooks[*ricartAgrawalaTimeout]{
		Expire: func(p *ricartAgrawalaTimeout, t distributed.TimerID, out *distributed.Out) {
			for j := range p.peers {
				p.peers[j].asked = p.peers[j].need
			}
			p.Expire(t, out)
		},
	}),
	tamper.Mutant(RicartAgrawalaTimeout, "ricart-agrawala-timeout-silent-inside", "a node that does not answer while its thread is in its critical section", tamper.Hooks[*ricartAgrawalaTimeout]{
		Receive: func(p *ricartAgrawalaTimeout, m distributed.Message, out *distributed.Out) {
			inside := p.my != 0 && !slices.ContainsFunc(p.peers, func(q peer) bool { return q.need })
			if m.Kind != distributed.Ping || !inside {
				p.Receive(m, out)
			}
		},
	}),
	tamper.Mutant(Maekawa, "maekawa-no-inquire", "a voter that never asks for its vote back", without(func(_, o distributed.Message) bool {
		return o.Kind == distributed.Inquire
	})),
	tamper.Mutant(Maekawa, "maekawa-no-relinquish", "a requester that never gives a vote back", without(func(_, o distributed.Message) bool {
		return o.Kind == distributed.Relinquish
	})),
	tamper.Mutant(Maekawa, "maekawa-as-printed", "Maekawa's own rules: a displaced head of the queue is not told FAILED", without(func(m, o distributed.Message) bool {
		return m.Kind == distributed.Request && o.Kind == distributed.Failed && o.To != m.From
	})),
	tamper.Mutant(Maekawa, "maekawa-keeps-vote", "a requester that gives a vote back and counts it all the same", tamper.Hooks[*maekawa]{
		Receive: func(p *maekawa, m distributed.Message, out *distributed.Out) {
			from := len(out.Messages)
			p.Receive(m, out)
			for _, o := range out.Messages[from:] {
				if k := slices.Index(p.quorum, o.To); o.Kind == distributed.Relinquish {
					p.votes[k] = locked
				}
			}
		},
	}),
	maekawaApart,
	tamper.Mutant(AgrawalElAbbadiTimeout, "agrawal-el-abbadi-one-child", "a voter that is down counts as one that has voted, so that one child's quorum is enough", tamper.After(func(p *agrawalElAbbadi, out *distributed.Out) {
		enough := func(j distributed.ID) bool { return p.voted(j) || p.down[j] }
		if p.stamp != 0 && !p.inside && p.tree.has(0, enough) {
			p.inside = true
			p.after(false, out)
			out.Grant(p.local.Head())
		}
	})),
	tamper.Mutant(AgrawalElAbbadiTimeout, "agrawal-el-abbadi-timeout-silent-inside", "a node that does not answer while its thread is in its critical section", tamper.Hooks[*agrawalElAbbadi]{
		Receive: func(p *agrawalElAbbadi, m distributed.Message, out *distributed.Out) {
			if m.Kind != distributed.Ping || !p.inside {
				p.Receive(m, out)
			}
		},
	}),
	tamper.Mutant(AgrawalElAbbadi, "agrawal-el-abbadi-gives-up", "a node that asks no other node in place of a voter that is down", tamper.Hooks[*agrawalElAbbadi]{
		Expire: func(*agrawalElAbbadi, distributed.TimerID, *distributed.Out) {},
	}),
}

// maekawaApart gives each node the quorum of itself, which CheckQuorums would
// refuse.
var maekawaApart = func() distributed.Algorithm {
	a := Maekawa
	a.Name, a.Title = "maekawa-quorums-apart", "quorums that do not intersect"
	a.New = func(c distributed.Config) ([]distributed.Node, error) {
		nodes, err := Maekawa.New(c)
		for i := range nodes {
			p := nodes[i].(*maekawa)
			p.quorum, p.votes = []distributed.ID{p.me}, make([]vote, 1)
		}
		return nodes, err
	}
	return a
}()

// without drops the messages o, to others and to itself, that fit among those
// sent in answer to m.
func without(fits func(m, o distributed.Message) bool) tamper.Hooks[*maekawa] {
	take := func(p *maekawa, m distributed.Message, out *distributed.Out) {
		from, mine := len(out.Messages), p.self.Len()
		p.take(m, out)
		tamper.Drop(out, from, func(o distributed.Message) bool { return fits(m, o) })
		for k := range p.self.Len() { // once round the queue
			if o := p.self.Pop(); k < mine || !fits(m, o) {
				p.self.Push(o)
			}
		}
	}
	settle := func(p *maekawa, out *distributed.Out) {
		for p.self.Len() > 0 {
			take(p, p.self.Pop(), out)
		}
	}
	return tamper.Hooks[*maekawa]{
		Request: func(p *maekawa, t distributed.Thread, out *distributed.Out) {
			if p.local.Add(t) {
				p.request(out)
				settle(p, out)
			}
		},
		Release: func(p *maekawa, t distributed.Thread, out *distributed.Out) {
			p.release(out)
			settle(p, out)
		},
		Receive: func(p *maekawa, m distributed.Message, out *distributed.Out) {
			take(p, m, out)
			settle(p, out)
		},
	}
}
