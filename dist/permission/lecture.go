package permission

import (
	"shmbench/dist"
	"shmbench/dist/internal/tamper"
)

// lecture is Ricart and Agrawala's algorithm with the deferral stated as in
// Ethan Blanton, Mutual Exclusion, CSE 486 lecture, University at Buffalo,
// 2021–2024, "Processing a Request":
//
//	REQUEST with timestamp k: Time := max(k, Time)
//	                          if not Requesting or k < Time then send REPLY
//	                          else enqueue the request
//
// Taken at its word that compares k with the clock, not with the timestamp of
// the node's own request, and it has no tie-break. Two requests with the same
// timestamp wait for each other; and once a third node's request has moved the
// clock on, a node that is inside replies.
var lecture = tamper.Mutant(RicartAgrawala, "ricart-agrawala-lecture", "the deferral as a lecture states it: reply if k < Time", tamper.Hooks[*ricartAgrawala]{
	Receive: func(p *ricartAgrawala, m dist.Message, out *dist.Out) {
		if m.Kind != dist.Request {
			p.Receive(m, out)
			return
		}
		time := max(m.Stamp, p.highestSequenceNumber)
		p.highestSequenceNumber = time
		if !p.requestingCriticalSection || m.Stamp < time {
			out.Send(dist.Message{Kind: dist.Reply, From: p.me, To: m.From})
		} else {
			p.replyDeferred[m.From] = true
		}
	},
})
