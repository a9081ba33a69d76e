// Package modes has locks with TryLock, LockUntil, and RLock: right ones, and wrong
// ones beside them.
package modes

import (
	"runtime"
	"sync/atomic"
)

// bit is a test-and-set lock.
type bit struct{ busy atomic.Bool }

func (l *bit) Lock(int) {
	for l.busy.Swap(true) { // 1
		runtime.Gosched()
	}
}

func (l *bit) Unlock(int) { l.busy.Store(false) } // 2

// Ticket has a TryLock that is right.
type Ticket struct{ next, serving atomic.Uint32 }

func NewTicket(int) *Ticket { return new(Ticket) }

func (l *Ticket) Lock(int) {
	t := l.next.Add(1) - 1      // 1
	for l.serving.Load() != t { // 2
		runtime.Gosched()
	}
}

func (l *Ticket) Unlock(int) { l.serving.Store(l.serving.Load() + 1) } // 3

func (l *Ticket) TryLock(int) bool {
	t := l.serving.Load()                // 4
	return l.next.CompareAndSwap(t, t+1) // 5
}

// Leaves takes a ticket in TryLock, and leaves it there if it is not served.
type Leaves struct{ Ticket }

func NewLeaves(int) *Leaves { return new(Leaves) }

func (l *Leaves) TryLock(int) bool {
	t := l.next.Add(1) - 1       // 4
	return l.serving.Load() == t // 5
}

// Looks takes a ticket in TryLock if it would be served, which it need not be when it
// has taken it.
type Looks struct{ Ticket }

func NewLooks(int) *Looks { return new(Looks) }

func (l *Looks) TryLock(int) bool {
	if l.next.Load() != l.serving.Load() { // 4
		return false
	}
	l.next.Add(1) // 5
	return true
}

// Never has a TryLock that always fails.
type Never struct{ bit }

func NewNever(int) *Never { return new(Never) }

func (l *Never) TryLock(int) bool { return false }

// queue is a CLH lock.
type queue struct {
	tail       atomic.Int32
	locked     []atomic.Bool
	mine, pred []int32
}

func newQueue(n int) *queue {
	l := &queue{locked: make([]atomic.Bool, n+1), mine: make([]int32, n), pred: make([]int32, n)}
	for i := range l.mine {
		l.mine[i] = int32(i)
	}
	l.tail.Store(int32(n))
	return l
}

func (l *queue) Lock(i int) {
	l.locked[l.mine[i]].Store(true)    // 1
	l.pred[i] = l.tail.Swap(l.mine[i]) // 2
	for l.locked[l.pred[i]].Load() {   // 3
		runtime.Gosched()
	}
}

func (l *queue) Unlock(i int) {
	l.locked[l.mine[i]].Store(false) // 4
	l.mine[i] = l.pred[i]
}

// CLH has the obvious TryLock: between line 6 and line 8 the tail can come back, and
// be locked.
type CLH struct{ *queue }

func NewCLH(n int) *CLH { return &CLH{newQueue(n)} }

func (l *CLH) TryLock(i int) bool {
	tail := l.tail.Load()      // 5
	if l.locked[tail].Load() { // 6
		return false
	}
	l.locked[l.mine[i]].Store(true)              // 7
	if !l.tail.CompareAndSwap(tail, l.mine[i]) { // 8
		return false
	}
	l.pred[i] = tail
	return true
}

// Waits is CLH with a TryLock that is safe, and waits for the node that has come back.
type Waits struct{ CLH }

func NewWaits(n int) *Waits { return &Waits{*NewCLH(n)} }

func (l *Waits) TryLock(i int) bool {
	if !l.CLH.TryLock(i) {
		return false
	}
	for l.locked[l.pred[i]].Load() { // 9
		runtime.Gosched()
	}
	return true
}

// TAS can be given up, and tried.
type TAS struct{ bit }

func NewTAS(int) *TAS { return new(TAS) }

func (l *TAS) TryLock(int) bool { return !l.busy.Swap(true) } // 3

func (l *TAS) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) { // 4
		if giveUp() { // 5
			return false
		}
	}
	return true
}

// Idles only waits to be told to give up, in which no process is kept from entering.
type Idles struct{ bit }

func NewIdles(int) *Idles { return new(Idles) }

func (l *Idles) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Load(); !giveUp(); l.busy.Load() { // 3
	}
	return false
}

// Again asks again though it has been told to give up.
type Again struct{ bit }

func NewAgain(int) *Again { return new(Again) }

func (l *Again) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) { // 4
		if giveUp() && giveUp() { // 5
			return false
		}
	}
	return true
}

// Stays goes on waiting for its predecessor though it should give up.
type Stays struct{ *queue }

func NewStays(n int) *Stays { return &Stays{newQueue(n)} }

func (l *Stays) LockUntil(i int, giveUp func() bool) bool {
	l.locked[l.mine[i]].Store(true)    // 10
	l.pred[i] = l.tail.Swap(l.mine[i]) // 11
	gaveUp := false
	for l.locked[l.pred[i]].Load() { // 12
		gaveUp = gaveUp || giveUp() // 13
	}
	if gaveUp {
		l.Unlock(i)
	}
	return !gaveUp
}

// Abandons leaves its node in the queue, locked, if it gives up.
type Abandons struct{ *queue }

func NewAbandons(n int) *Abandons { return &Abandons{newQueue(n)} }

func (l *Abandons) LockUntil(i int, giveUp func() bool) bool {
	l.locked[l.mine[i]].Store(true)    // 10
	l.pred[i] = l.tail.Swap(l.mine[i]) // 11
	for l.locked[l.pred[i]].Load() {   // 12
		if giveUp() { // 13
			return false
		}
	}
	return true
}

// Counts is left when no process changes the number of those that wait meanwhile.
type Counts struct{ word atomic.Uint32 }

func NewCounts(int) *Counts { return new(Counts) }

const (
	held   = 1
	waiter = 2
)

func (l *Counts) Lock(i int) { l.LockUntil(i, func() bool { return false }) }

func (l *Counts) LockUntil(_ int, giveUp func() bool) bool {
	l.word.Add(waiter) // 1
	for {
		w := l.word.Load()                                          // 2
		if w&held == 0 && l.word.CompareAndSwap(w, w-waiter+held) { // 3
			return true
		}
		if giveUp() {
			l.word.Add(^uint32(waiter - 1)) // 4
			return false
		}
	}
}

func (l *Counts) Unlock(int) {
	for {
		w := l.word.Load()                    // 5
		if l.word.CompareAndSwap(w, w-held) { // 6
			return
		}
	}
}
