package permission

import (
	"fmt"

	"shmbench/dist"
	"shmbench/dist/internal/fifo"
)

// Central is the card of [central].
var Central = dist.Algorithm{
	Name:   "central",
	Title:  "Central coordinator",
	Source: "folklore; Andrew S. Tanenbaum, Distributed Operating Systems, Prentice Hall, 1995, section 3.2",
	Family: dist.Central,
	Claims: dist.Claims{DeadlockFree: true, StarvationFree: true},
	Cost: dist.Cost{
		Messages:  "3",
		Idle:      centralCost,
		Busy:      centralCost,
		SyncDelay: "2",
	},
	New: newCentral,
}

// centralCost is three messages for each of the n−1 nodes that are not the
// coordinator, and none for the coordinator.
func centralCost(n int) (least, most float64) { return 3 * float64(n-1) / float64(n), 3 }

const coordinator dist.ID = 0

// central is a client of the coordinator, node 0, and on node 0 the
// coordinator as well.
//
// Messages: Request, Grant, Release.
//
// Mutual exclusion: the coordinator grants one at a time. First come first
// served by arrival at the coordinator, so nobody starves. Messages may
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
	dist.Quiet
	me    dist.ID
	door  dist.Door
	queue fifo.Queue[dist.ID] // the coordinator's: the head has been granted
}

func newCentral(c dist.Config) ([]dist.Node, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	nodes := make([]dist.Node, c.Nodes)
	for i := range nodes {
		nodes[i] = &central{me: dist.ID(i)}
	}
	return nodes, nil
}

func (p *central) Request(t dist.Thread, out *dist.Out) {
	if p.door.Enter(t) {
		p.tell(dist.Request, out) // R1
	}
}

func (p *central) Release(_ dist.Thread, out *dist.Out) {
	again := p.door.Leave()
	p.tell(dist.Release, out) // L1
	if again {
		p.tell(dist.Request, out)
	}
}

// tell sends k to the coordinator, or does it at once when this is it.
func (p *central) tell(k dist.Kind, out *dist.Out) {
	if m := (dist.Message{Kind: k, From: p.me, To: coordinator, Who: p.me}); p.me == coordinator {
		p.Receive(m, out)
	} else {
		out.Send(m)
	}
}

func (p *central) Receive(m dist.Message, out *dist.Out) {
	switch m.Kind {
	case dist.Request: // Q1
		p.queue.Push(m.From)
		if p.queue.Len() == 1 {
			p.grant(out)
		}
	case dist.Release: // Q2
		p.queue.Pop()
		if p.queue.Len() > 0 {
			p.grant(out)
		}
	case dist.Grant: // G1
		out.Grant(p.door.Head())
	}
}

// grant lets the head of the coordinator's queue in.
func (p *central) grant(out *dist.Out) {
	if head := p.queue.Head(); head == p.me {
		out.Grant(p.door.Head())
	} else {
		out.Send(dist.Message{Kind: dist.Grant, From: p.me, To: head})
	}
}

func (p *central) Clone() dist.Machine {
	c := *p
	c.door, c.queue = p.door.Clone(), p.queue.Clone()
	return &c
}

func (p *central) AppendState(b []byte) []byte {
	b = p.door.AppendState(b)
	return dist.AppendInts(b, p.queue.Slice()...)
}

func (p *central) String() string {
	if p.me == coordinator {
		return fmt.Sprintf("queue=%v threads=%v", p.queue.Slice(), p.door.Threads())
	}
	return fmt.Sprintf("threads=%v", p.door.Threads())
}
