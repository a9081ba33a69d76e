package election

import (
	"fmt"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// Link is a node's way to the next node of a ring. Each message is
// acknowledged; when no acknowledgement comes in two ticks the next node is
// taken for dead, for good, and what it has not acknowledged goes to the node
// after it. Rests on FIFO and, for messages not to arrive twice, on time.
type Link struct {
	me, next distributed.ID
	n        int
	ring     []distributed.ID // its order; nil: ascending
	timer    distributed.TimerID
	ack      distributed.Kind
	unacked  fifo.Queue[distributed.Message]
}

// NewLink returns node me's link in a ring of n nodes, with a timer and a kind
// of acknowledgement of its own.
func NewLink(me distributed.ID, n int, timer distributed.TimerID, ack distributed.Kind) Link {
	return Link{me: me, next: (me + 1) % distributed.ID(n), n: n, timer: timer, ack: ack}
}

// onRing is what both ring elections keep: their view and the link to the next
// node. A message for the next node comes back to a node that is alone.
type onRing struct {
	view
	link Link
}

func newOnRing(i int, c Config) onRing {
	link := NewLink(distributed.ID(i), c.Nodes, timerAnswer, distributed.Ack)
	if c.Ring != nil {
		link.ring = c.Ring
		link.next = link.after(link.me)
	}
	return onRing{newView(i, c), link}
}

// pass sends m on, or to take if nobody else is up.
func (p *onRing) pass(m distributed.Message, take func(distributed.Message, *distributed.Out), out *distributed.Out) {
	if p.link.Alone() {
		take(m, out)
	} else {
		p.link.Send(m, out)
	}
}

func (p *onRing) clone() onRing { return onRing{p.view, p.link.Clone()} }

func (p *onRing) appendState(b []byte) []byte { return p.link.AppendState(p.view.appendState(b)) }

func (p *onRing) String() string { return fmt.Sprintf("%v %v", &p.view, &p.link) }

// after returns the node after j on the ring.
func (l *Link) after(j distributed.ID) distributed.ID {
	if l.ring == nil {
		return (j + 1) % distributed.ID(l.n)
	}
	return l.ring[(slices.Index(l.ring, j)+1)%l.n]
}

// Alone reports whether all other nodes are taken for dead.
func (l *Link) Alone() bool { return l.next == l.me }

// Send sends m on; the node must not be alone.
func (l *Link) Send(m distributed.Message, out *distributed.Out) {
	m.From, m.To = l.me, l.next
	l.unacked.Push(m.Clone())
	out.Send(m)
	if l.unacked.Len() == 1 {
		out.Set(l.timer, 2)
	}
}

// Ack acknowledges a message from the link's other end, at the receiver.
func (l *Link) Ack(m distributed.Message, out *distributed.Out) {
	out.Send(distributed.Message{Kind: l.ack, From: l.me, To: m.From})
}

// Acked takes an acknowledgement.
func (l *Link) Acked(m distributed.Message, out *distributed.Out) {
	if m.From != l.next || l.unacked.Len() == 0 {
		return
	}
	l.unacked.Pop()
	if l.unacked.Len() == 0 {
		out.Cancel(l.timer)
	} else {
		out.Set(l.timer, 2)
	}
}

// Expire takes the expiry of the link's timer: it goes on to the node after
// the next. If that leaves the node alone it returns what was under way, which
// has then come round to its sender.
func (l *Link) Expire(out *distributed.Out) (back []distributed.Message) {
	l.next = l.after(l.next)
	if l.Alone() {
		back = l.unacked.Slice()
		l.Drop(out)
		return back
	}
	for i := range l.unacked.Len() {
		m := l.unacked.At(i).Clone()
		m.To = l.next
		out.Send(m)
	}
	out.Set(l.timer, 2)
	return nil
}

// Waiting reports whether something is not acknowledged.
func (l *Link) Waiting() bool { return l.unacked.Len() > 0 }

// Drop forgets what is not acknowledged.
func (l *Link) Drop(out *distributed.Out) {
	l.unacked = fifo.Queue[distributed.Message]{}
	out.Cancel(l.timer)
}

// Clone returns a copy that shares nothing with l.
func (l *Link) Clone() Link {
	c := *l
	c.unacked = l.unacked.Clone() // bodies are only read
	return c
}

// AppendState appends the canonical form of l.
func (l *Link) AppendState(b []byte) []byte {
	b = distributed.AppendInts(b, int64(l.next), int64(l.unacked.Len()))
	for i := range l.unacked.Len() {
		m := l.unacked.At(i)
		m.To = l.next
		b = m.AppendWire(b)
	}
	return b
}

func (l *Link) String() string { return fmt.Sprintf("next=%d unacked=%v", l.next, l.labels()) }

func (l *Link) labels() []string {
	s := make([]string, l.unacked.Len())
	for i := range s {
		s[i] = l.unacked.At(i).Label()
	}
	return s
}
