package election

import (
	"fmt"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// A Link is a node's connection to the next node of a ring. The next node acknowledges each
// message. If no acknowledgement comes in two ticks, the node takes the next node for dead
// until that node reports its restart. The unacknowledged messages then go to the node after
// it. A Link needs FIFO channels, and bounded delays if no message may arrive twice.
type Link struct {
	me, next distributed.ID
	back     distributed.ID // has restarted and is next once all is acknowledged, or None
	n        int
	ring     []distributed.ID // its order; nil: ascending
	timer    distributed.TimerID
	ack      distributed.Kind
	unacked  fifo.Queue[distributed.Message]
}

// NewLink returns node me's link in a ring of n nodes. The timer and the kind of
// acknowledgement must be the link's own.
func NewLink(me distributed.ID, n int, timer distributed.TimerID, ack distributed.Kind) Link {
	return Link{me: me, next: (me + 1) % distributed.ID(n), back: distributed.None, n: n, timer: timer, ack: ack}
}

// after returns the node after j on the ring.
func (l *Link) after(j distributed.ID) distributed.ID {
	if l.ring == nil {
		return (j + 1) % distributed.ID(l.n)
	}
	return l.ring[(slices.Index(l.ring, j)+1)%l.n]
}

// Alone reports whether the node takes all other nodes for dead.
func (l *Link) Alone() bool { return l.next == l.me }

// Send sends m to the next node. Alone must be false.
func (l *Link) Send(m distributed.Message, out *distributed.Out) {
	m.From, m.To = l.me, distributed.None // the next node is another one when it is sent again
	l.unacked.Push(m.Clone())
	m.To = l.next
	out.Send(m)
	if l.unacked.Len() == 1 {
		out.Set(l.timer, 2)
	}
}

// Ack acknowledges a message of another node's link. The receiver of the message
// calls it.
func (l *Link) Ack(m distributed.Message, out *distributed.Out) {
	out.Send(distributed.Message{Kind: l.ack, From: l.me, To: m.From})
}

// Acked handles an acknowledgement.
func (l *Link) Acked(m distributed.Message, out *distributed.Out) {
	if m.From != l.next || l.unacked.Len() == 0 {
		return
	}
	l.unacked.Pop()
	if l.unacked.Len() == 0 {
		out.Cancel(l.timer)
		l.turnBack()
	} else {
		out.Set(l.timer, 2)
	}
}

// Joined handles the news that node j has restarted. If this node has passed j over, j is
// its next node again: from now on or, while messages are unacknowledged, once all are
// acknowledged. The node repeats the messages that j may have lost in its restart. If twice
// is false, a message must not arrive twice, and it goes past j without an acknowledgement.
func (l *Link) Joined(j distributed.ID, twice bool, out *distributed.Out) {
	switch d, next := l.distance(j), l.distance(l.next); {
	case d == next && twice:
		l.resend(out)
	case d <= next && (l.back == distributed.None || d < l.distance(l.back)):
		l.back = j
	}
	if !l.Waiting() {
		l.turnBack()
	}
}

func (l *Link) turnBack() {
	if l.back != distributed.None {
		l.next, l.back = l.back, distributed.None
	}
}

// distance returns how far j is down the ring, 1 to n.
func (l *Link) distance(j distributed.ID) int {
	at, me := int(j), int(l.me)
	if l.ring != nil {
		at, me = slices.Index(l.ring, j), slices.Index(l.ring, l.me)
	}
	return (at-me+l.n-1)%l.n + 1
}

// Expire handles the expiry of the link's timer: the node after the next node becomes the
// next node. If this node now takes all others for dead, Expire returns the unacknowledged
// messages, which have come round to their sender.
func (l *Link) Expire(out *distributed.Out) (back []distributed.Message) {
	l.next = l.after(l.next)
	if l.Alone() {
		back = l.unacked.Slice()
		l.Drop(out)
		return back
	}
	l.resend(out)
	return nil
}

// resend sends the unacknowledged messages to the next node.
func (l *Link) resend(out *distributed.Out) {
	for i := range l.unacked.Len() {
		m := l.unacked.At(i).Clone()
		m.To = l.next
		out.Send(m)
	}
	if l.Waiting() {
		out.Set(l.timer, 2)
	}
}

// Waiting reports whether a message is unacknowledged.
func (l *Link) Waiting() bool { return l.unacked.Len() > 0 }

// Drop forgets the unacknowledged messages.
func (l *Link) Drop(out *distributed.Out) {
	l.unacked = fifo.Queue[distributed.Message]{}
	out.Cancel(l.timer)
	l.turnBack()
}

func (l *Link) String() string {
	return fmt.Sprintf("next=%d back=%d unacked=%v", l.next, l.back, l.labels())
}

func (l *Link) labels() []string {
	s := make([]string, l.unacked.Len())
	for i := range s {
		s[i] = l.unacked.At(i).Label()
	}
	return s
}
