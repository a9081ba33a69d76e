package crashes

import (
	"sync/atomic"

	"shmbench/shm"
)

// mcs is the queue lock of Mellor-Crummey and Scott, without Recover.
type mcs struct {
	tail   atomic.Int32
	next   [4]atomic.Int32
	locked [4]atomic.Bool
}

func NewMCS(int) *mcs { return new(mcs) }

func (l *mcs) Lock(i int) {
	me := int32(i) + 1
	l.next[me].Store(0)  // E1
	p := l.tail.Swap(me) // E2
	if p == 0 {
		return
	}
	l.locked[me].Store(true)  // E3
	l.next[p].Store(me)       // E4
	for l.locked[me].Load() { // E5
	}
}

func (l *mcs) Unlock(i int) {
	me := int32(i) + 1
	if l.next[me].Load() == 0 { // X1
		if l.tail.CompareAndSwap(me, 0) { // X2
			return
		}
		for l.next[me].Load() == 0 { // X3
		}
	}
	l.locked[l.next[me].Load()].Store(false) // X4
}

// ticketFAI takes its ticket by fetch-and-add, and stores it afterwards.
type ticketFAI struct {
	next, serving atomic.Uint32
	t             [3]atomic.Uint32
}

func NewTicketFAI(int) *ticketFAI {
	l := new(ticketFAI)
	l.serving.Store(1)
	return l
}

func (l *ticketFAI) Recover(int) shm.Outcome { return shm.Enter }

func (l *ticketFAI) Lock(i int) {
	t := l.t[i].Load() // E1
	if t == 0 {
		t = l.next.Add(1) // E2
		l.t[i].Store(t)   // E3
	}
	for l.serving.Load() != t { // E4
	}
}

func (l *ticketFAI) Unlock(i int) {
	t := l.t[i].Load()     // X1
	l.t[i].Store(0)        // X2
	l.serving.Store(t + 1) // X3
}
