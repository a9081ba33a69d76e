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
