package locks

import "sync/atomic"

// SwapOnly is the queue lock of Mellor-Crummey and Scott for machines without
// compare-and-swap: others can slip in while the queue is put back.
type SwapOnly struct {
	tail atomic.Pointer[slot]
	slot []slot
}

type slot struct {
	next   atomic.Pointer[slot]
	locked atomic.Bool
}

func NewSwapOnly(n int) *SwapOnly { return &SwapOnly{slot: make([]slot, n)} }

func (l *SwapOnly) Lock(i int) {
	me := &l.slot[i]
	me.next.Store(nil)
	if before := l.tail.Swap(me); before != nil {
		me.locked.Store(true)
		before.next.Store(me)
		for me.locked.Load() {
		}
	}
}

func (l *SwapOnly) Unlock(i int) {
	me := &l.slot[i]
	if me.next.Load() == nil {
		last := l.tail.Swap(nil)
		if last == me {
			return
		}
		usurper := l.tail.Swap(last)
		for me.next.Load() == nil {
		}
		if usurper != nil {
			usurper.next.Store(me.next.Load())
			return
		}
	}
	me.next.Load().locked.Store(false)
}

// InTurns is the queue lock of Mellor-Crummey and Scott with two nodes a
// process, which it uses in turns.
type InTurns struct {
	tail atomic.Pointer[slot]
	slot [][2]slot
	turn []int
}

func NewInTurns(n int) *InTurns { return &InTurns{slot: make([][2]slot, n), turn: make([]int, n)} }

func (l *InTurns) Lock(i int) {
	l.turn[i] ^= 1
	me := &l.slot[i][l.turn[i]]
	me.next.Store(nil)
	if before := l.tail.Swap(me); before != nil {
		me.locked.Store(true)
		before.next.Store(me)
		for me.locked.Load() {
		}
	}
}

func (l *InTurns) Unlock(i int) {
	me := &l.slot[i][l.turn[i]]
	if me.next.Load() == nil {
		if l.tail.CompareAndSwap(me, nil) {
			return
		}
		for me.next.Load() == nil {
		}
	}
	me.next.Load().locked.Store(false)
}
