package permission

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// Central is the specification of [central].
var Central = distributed.Algorithm{
	Name:   "central",
	Title:  "Central coordinator",
	Source: "folklore; Andrew S. Tanenbaum, Distributed Operating Systems, Prentice Hall, 1995, section 3.2",
	Family: distributed.Central,
	Claims: distributed.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: distributed.Cost{
		Messages: "3",
		Idle:     centralCost,
		Busy:     centralCost,
		Wait: func(c distributed.Config) (float64, float64) {
			if c.Server {
				return 2, 2
			}
			n := float64(c.Nodes)
			return 2 * (n - 1) / n, 2 * (n - 1) / n
		},
		Throughput: func(c distributed.Config) (float64, float64) {
			if c.Server {
				return 0.5, 0.5
			}
			return 0.5, 0.5 + 2/float64(c.Nodes) // the coordinator hands over to itself at once
		},
		Lone: func(c distributed.Config) (float64, float64) {
			if c.Server {
				return 3, 3
			}
			return 0, 3
		},
		Share:     func(distributed.Config) (float64, float64) { return 1, 1 },
		SyncDelay: "2",
		Sync: func(c distributed.Config) (float64, float64) {
			if c.Server {
				return 2, 2
			}
			return 1, 2 // 1 from or to the coordinator
		},
		Bypass: func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes - 1) },
	},
	Server: true,
	Forms:  distributed.Plain(distributed.Request, distributed.Grant, distributed.Release),
	New:    newCentral,
}

// centralCost is three messages for each of the n−1 nodes that are not the
// coordinator, and none for the coordinator.
func centralCost(c distributed.Config) (least, most float64) {
	if c.Server {
		return 3, 3
	}
	return 3 * float64(c.Nodes-1) / float64(c.Nodes), 3
}

const coordinator distributed.ID = 0

// central is a client of the coordinator, node 0, and on node 0 the
// coordinator as well.
//
// Messages: Request, Grant, Release.
//
// Mutual exclusion: the coordinator grants one at a time. First come first
// served by arrival at the coordinator, so no process starves. Messages may
// overtake each other: a client's next request that comes before its release
// queues behind itself. A crash of the coordinator stops everything.
//
//	request:  send REQUEST to the coordinator                       R1
//	REQUEST:  enqueue the sender; if it is the head, send GRANT     Q1
//	GRANT:    enter                                                 G1
//	release:  send RELEASE to the coordinator                       L1
//	RELEASE:  dequeue; if another is the head, send GRANT to it     Q2
//
// Deviations: what the coordinator tells itself is no message.
type central struct {
	distributed.Quiet
	me    distributed.ID
	local distributed.LocalQueue
	queue fifo.Queue[distributed.ID] // the coordinator's: the head has been granted
}

func newCentral(c distributed.Config) ([]distributed.Node, error) {
	return c.Build(func(i distributed.ID) distributed.Node {
		return &central{me: i}
	})
}

func (p *central) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.tell(distributed.Request, out) // R1
	}
}

func (p *central) Release(_ distributed.Thread, out *distributed.Out) {
	again := p.local.Remove()
	p.tell(distributed.Release, out) // L1
	if again {
		p.tell(distributed.Request, out)
	}
}

// tell sends k to the coordinator, or does it at once when this is it.
func (p *central) tell(k distributed.Kind, out *distributed.Out) {
	if m := (distributed.Message{Kind: k, From: p.me, To: coordinator, Who: p.me}); p.me == coordinator {
		p.Receive(m, out)
	} else {
		out.Send(m)
	}
}

func (p *central) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request: // Q1
		p.queue.Push(m.From)
		if p.queue.Len() == 1 {
			p.grant(out)
		}
	case distributed.Release: // Q2
		if p.queue.Len() == 0 || p.queue.Head() != m.From {
			panic(fmt.Sprintf("node %d leaves, and was not in its critical section", m.From))
		}
		p.queue.Pop()
		if p.queue.Len() > 0 {
			p.grant(out)
		}
	case distributed.Grant: // G1
		out.Grant(p.local.Head())
	}
}

// grant lets the head of the coordinator's queue in.
func (p *central) grant(out *distributed.Out) {
	if head := p.queue.Head(); head == p.me {
		out.Grant(p.local.Head())
	} else {
		out.Send(distributed.Message{Kind: distributed.Grant, From: p.me, To: head})
	}
}

func (p *central) String() string {
	if p.me == coordinator {
		return fmt.Sprintf("queue=%v threads=%v", p.queue.Slice(), p.local.Threads())
	}
	return fmt.Sprintf("threads=%v", p.local.Threads())
}
