package permission

import (
	"fmt"

	"shmbench/distributed"
)

// RicartAgrawala is the specification of [ricartAgrawala].
var RicartAgrawala = distributed.Algorithm{
	Name:   "ricart-agrawala",
	Title:  "Ricart and Agrawala's permission of all others",
	Source: "Glenn Ricart, Ashok K. Agrawala, An Optimal Algorithm for Mutual Exclusion in Computer Networks, CACM 24(1), 1981, pp. 9–17",
	Family: distributed.Permission,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages:   "2(N−1)",
		Idle:       func(c distributed.Config) (float64, float64) { return exactly(2 * (c.Nodes - 1)) },
		Busy:       func(c distributed.Config) (float64, float64) { return exactly(2 * (c.Nodes - 1)) },
		Wait:       func(distributed.Config) (float64, float64) { return 2, 2 },
		Throughput: func(distributed.Config) (float64, float64) { return 1, 1 },
		Lone:       func(c distributed.Config) (float64, float64) { return exactly(2 * (c.Nodes - 1)) },
		Share:      even,
		SyncDelay:  "1",
		Sync:       func(distributed.Config) (float64, float64) { return 1, 1 },
		Bypass:     func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Invariants: []distributed.Invariant{stampOrder("Ricart and Agrawala 1981", func(v *distributed.View, i distributed.ID) int64 {
		return distributed.NodeOf[*ricartAgrawala](v, i).ourSequenceNumber
	})},
	Forms: distributed.Plain(distributed.Request, distributed.Reply),
	New:   newRicartAgrawala,
}

// ricartAgrawala asks all others and enters when all have replied. A node in its critical
// section, or with an earlier request, defers its reply until it leaves.
//
// Source: Ricart and Agrawala 1981, section 2.
//
// Messages: Request (Stamp: its sequence number), Reply.
//
// Mutual exclusion: of two requests that are concurrent one is earlier in the
// order of (sequence number, node), and its node defers the other's reply.
// No process starves, because a node that has seen a request stamps its own later
// ones higher; a reply is never deferred by a later request. The messages of a
// pair may overtake each other.
//
//	request: Requesting_Critical_Section := true                          R1
//	         Our_Sequence_Number := Highest_Sequence_Number + 1           R2
//	         Outstanding_Reply_Count := N − 1; send REQUEST to all others R3
//	enter:   when Outstanding_Reply_Count = 0                             R4
//	REQUEST(k, j):
//	         Highest_Sequence_Number := max(Highest_Sequence_Number, k)   Q1
//	         if Requesting_Critical_Section
//	            and (Our_Sequence_Number, me) < (k, j)
//	         then Reply_Deferred[j] := true                               Q2
//	         else send REPLY to j                                         Q3
//	release: Requesting_Critical_Section := false                         L1
//	         for all j with Reply_Deferred[j]: send REPLY to j            L2
//
// Deviations: none; the threads of a node share a local queue.
type ricartAgrawala struct {
	distributed.Quiet
	me                        distributed.ID
	local                     distributed.LocalQueue
	ourSequenceNumber         int64 // 0 while not requesting
	highestSequenceNumber     int64
	outstandingReplyCount     int
	requestingCriticalSection bool
	replyDeferred             []bool
}

func newRicartAgrawala(c distributed.Config) ([]distributed.Node, error) {
	return c.Build(func(i distributed.ID) distributed.Node {
		return &ricartAgrawala{me: i, replyDeferred: make([]bool, c.Nodes)}
	})
}

func (p *ricartAgrawala) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.request(out)
	}
}

func (p *ricartAgrawala) request(out *distributed.Out) {
	p.requestingCriticalSection = true                 // R1
	p.ourSequenceNumber = p.highestSequenceNumber + 1  // R2
	p.outstandingReplyCount = len(p.replyDeferred) - 1 // R3
	out.Broadcast(distributed.Message{Kind: distributed.Request, From: p.me, Who: p.me, Stamp: p.ourSequenceNumber}, len(p.replyDeferred))
}

func (p *ricartAgrawala) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request:
		p.highestSequenceNumber = max(p.highestSequenceNumber, m.Stamp) // Q1
		if p.requestingCriticalSection && before(p.ourSequenceNumber, p.me, m.Stamp, m.From) {
			p.replyDeferred[m.From] = true // Q2
		} else {
			out.Send(distributed.Message{Kind: distributed.Reply, From: p.me, To: m.From}) // Q3
		}
	case distributed.Reply:
		p.outstandingReplyCount--
		if p.outstandingReplyCount == 0 { // R4
			out.Grant(p.local.Head())
		}
	}
}

func (p *ricartAgrawala) Release(_ distributed.Thread, out *distributed.Out) {
	p.requestingCriticalSection = false // L1
	p.ourSequenceNumber = 0
	for j, deferred := range p.replyDeferred { // L2
		if deferred {
			p.replyDeferred[j] = false
			out.Send(distributed.Message{Kind: distributed.Reply, From: p.me, To: distributed.ID(j)})
		}
	}
	if p.local.Remove() {
		p.request(out)
	}
}

func (p *ricartAgrawala) String() string {
	return fmt.Sprintf("Requesting=%v Our_Sequence_Number=%d Highest_Sequence_Number=%d Outstanding_Reply_Count=%d Reply_Deferred=%v threads=%v",
		p.requestingCriticalSection, p.ourSequenceNumber, p.highestSequenceNumber, p.outstandingReplyCount, p.replyDeferred, p.local.Threads())
}
