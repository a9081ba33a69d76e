// Package counts has locks with registers that grow. Some only count, so that their states are
// finitely many up to a common number that is added to all counters. The others do more.
package counts

import "sync/atomic"

// Ticket is a ticket lock. Its next fields say what it does besides.
type Ticket struct{ next, serving atomic.Uint32 }

// NewTicket returns a Ticket.
func NewTicket(int) *Ticket { return new(Ticket) }

func (l *Ticket) Lock(int) { l.await(l.next.Add(1) - 1) }

func (l *Ticket) await(mine uint32) {
	for l.serving.Load() != mine {
	}
}

func (l *Ticket) Unlock(int) { l.serving.Add(1) }

// Backwards counts down.
type Backwards struct{ Ticket }

// NewBackwards returns a Backwards.
func NewBackwards(int) *Backwards { return new(Backwards) }

func (l *Backwards) Lock(int) { l.await(l.next.Add(^uint32(0)) + 1) }

func (l *Backwards) Unlock(int) { l.serving.Store(l.serving.Load() - 1) }

// Kept keeps each process's ticket, also when the ticket decides nothing any more.
type Kept struct {
	Ticket
	mine []uint32
}

// NewKept returns a Kept.
func NewKept(n int) *Kept { return &Kept{mine: make([]uint32, n)} }

func (l *Kept) Lock(i int) {
	l.mine[i] = l.next.Add(1) - 1
	l.await(l.mine[i])
}

func (l *Kept) Unlock(i int) { l.serving.Store(l.mine[i] + 1) }

// Signed has the distance of its turn as a number with a sign.
type Signed struct{ Ticket }

// NewSigned returns a Signed.
func NewSigned(int) *Signed { return new(Signed) }

func (l *Signed) Lock(int) {
	mine := l.next.Add(1) - 1
	for int32(mine-l.serving.Load()) > 0 {
	}
}

// Wide compares tickets of 64 bits, which do not wrap around.
type Wide struct{ next, serving atomic.Uint64 }

// NewWide returns a Wide.
func NewWide(int) *Wide { return new(Wide) }

func (l *Wide) Lock(int) {
	for mine := l.next.Add(1) - 1; l.serving.Load() < mine; {
	}
}

func (l *Wide) Unlock(int) { l.serving.Add(1) }

// Slots is a ring of slots, one for each process.
type Slots struct {
	next atomic.Uint64
	last atomic.Uint32
	open []atomic.Bool
	mine []int
}

// NewSlots returns a Slots.
func NewSlots(n int) *Slots {
	l := &Slots{open: make([]atomic.Bool, n), mine: make([]int, n)}
	l.open[0].Store(true)
	return l
}

func (l *Slots) Lock(i int) { l.enter(i, int((l.next.Add(1)-1)%uint64(len(l.open)))) }

func (l *Slots) enter(i, slot int) {
	l.mine[i] = slot
	for !l.open[slot].Load() {
	}
	l.open[slot].Store(false)
}

func (l *Slots) Unlock(i int) { l.open[(l.mine[i]+1)%len(l.open)].Store(true) }

// Short is Slots with a counter of 32 bits. With three slots the ring breaks when it wraps around.
type Short struct{ Slots }

// NewShort returns a Short.
func NewShort(n int) *Short { return &Short{*NewSlots(n)} }

func (l *Short) Lock(i int) { l.enter(i, int((l.last.Add(1)-1)%uint32(len(l.open)))) }

// Below counts down from 0, where a word without a sign wraps around at once: two processes get in.
type Below struct{ Wide }

// NewBelow returns a Below.
func NewBelow(int) *Below { return new(Below) }

func (l *Below) Lock(int) {
	for mine := l.next.Add(^uint64(0)) + 1; l.serving.Load() > mine; {
	}
}

func (l *Below) Unlock(int) { l.serving.Add(^uint64(0)) }
