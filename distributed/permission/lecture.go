package permission

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// lecture is Ricart and Agrawala's algorithm as stated in Ethan Blanton, Mutual
// Exclusion, CSE 486 lecture, University at Buffalo, 2021–2024, "Entering the
// Critical Section" and "Processing a Request":
//
//	request: Time++; Sequence := Time; send REQUEST(Sequence) to all
//	REQUEST(k): Time := max(k, Time)
//	            if not Requesting or k < Time then send REPLY
//	            else enqueue the request
//
// Taken at its word that compares k with the clock, not with the timestamp of
// the node's own request, and it has no tie-break. Two requests with the same
// timestamp wait for each other; and once a third node's request has moved the
// clock on, a node that is inside replies.
var lecture = tamper.Mutant(RicartAgrawala, "ricart-agrawala-lecture", "the deferral as a lecture states it: reply if k < Time", tamper.Hooks[*ricartAgrawala]{
	Request: func(p *ricartAgrawala, t distributed.Thread, out *distributed.Out) {
		p.Request(t, out)
		p.tick()
	},
	Release: func(p *ricartAgrawala, t distributed.Thread, out *distributed.Out) {
		p.Release(t, out)
		p.tick()
	},
	Receive: func(p *ricartAgrawala, m distributed.Message, out *distributed.Out) {
		if m.Kind != distributed.Request {
			p.Receive(m, out)
			return
		}
		time := max(m.Stamp, p.highestSequenceNumber)
		p.highestSequenceNumber = time
		if !p.requestingCriticalSection || m.Stamp < time {
			out.Send(distributed.Message{Kind: distributed.Reply, From: p.me, To: m.From})
		} else {
			p.replyDeferred[m.From] = true
		}
	},
})

// tick makes the clock, here highestSequenceNumber, count own requests too.
func (p *ricartAgrawala) tick() {
	p.highestSequenceNumber = max(p.highestSequenceNumber, p.ourSequenceNumber)
}
