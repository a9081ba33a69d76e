package live

import (
	"math"
	"sync"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// event is an event that a node handles.
type event struct {
	kind    eventKind
	thread  distributed.Thread
	timer   distributed.TimerID
	setting int
	parcel  distributed.Parcel
	look    func(distributed.Node)
	at      int64 // of a request: when it was made, if there is a clock
}

type eventKind uint8

const (
	message eventKind = iota
	request
	release
	expiry
	look
)

// mailbox is the queue of a node's unhandled events. A sender does not wait, so no node
// of a circle of senders waits forever. A message from a network waits in putWithin.
type mailbox struct {
	mu     sync.Mutex
	filled sync.Cond
	room   sync.Cond
	queue  fifo.Queue[event]
	closed bool
}

func (b *mailbox) init() { b.filled.L, b.room.L = &b.mu, &b.mu }

func (b *mailbox) put(ev event) {
	b.putWithin(math.MaxInt, ev)
}

// putWithin does the same as put, once the box has fewer than limit events.
func (b *mailbox) putWithin(limit int, ev event) {
	b.mu.Lock()
	for b.queue.Len() >= limit && !b.closed {
		b.room.Wait()
	}
	if !b.closed {
		b.queue.Push(ev)
	}
	b.mu.Unlock()
	b.filled.Signal()
}

// take waits for the oldest event; ok is false once the box is closed.
func (b *mailbox) take() (ev event, ok bool) {
	b.mu.Lock()
	for b.queue.Len() == 0 && !b.closed {
		b.filled.Wait()
	}
	if ok = !b.closed; ok {
		ev = b.queue.Pop()
	}
	b.mu.Unlock()
	b.room.Signal()
	return ev, ok
}

func (b *mailbox) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.filled.Broadcast()
	b.room.Broadcast()
}
