package futex

import (
	"math/bits"
	"sync/atomic"

	"shmbench/shm/spin"
)

// kernel is what a futex is in Linux: the set of the processes that sleep on the word, and
// a lock for this set (kernel/futex). A process that goes to sleep compares the word and
// joins the set while it holds the lock. So no process can change the word and wake a
// sleeping process in between.
//
// The lock of the set is fair, like that of Linux: a process that leaves it gives it to the
// next process in cyclic order that wants it. Of several sleeping processes, the one with
// the lowest number is woken. Linux wakes processes of the same priority in the order in
// which they went to sleep, which its documentation does not promise.
//
// The state is one word. It has three bits for each process: it sleeps; it wants the lock;
// it was given the lock.
type kernel struct{ atomic.Uint64 }

// MostProcs is the greatest number of processes in the model.
const MostProcs = 21

const (
	sleeping = 1<<MostProcs - 1
	wanting  = sleeping << MostProcs
)

func wants(i int) uint64 { return 1 << (MostProcs + i) }
func given(i int) uint64 { return 1 << (2*MostProcs + i) }

// sleep makes process i sleep until it is woken, if the word is unchanged.
func (k *kernel) sleep(i int, unchanged func() bool) {
	k.enter(i)
	if !unchanged() {
		k.leave(i, func(asleep uint64) uint64 { return asleep })
		return
	}
	me := uint64(1) << i
	k.leave(i, func(asleep uint64) uint64 { return asleep | me })
	spin.Until(func() bool { return k.Load()&me == 0 })
}

// wake wakes one process.
func (k *kernel) wake(i int) {
	k.enter(i)
	k.leave(i, func(asleep uint64) uint64 { return asleep & (asleep - 1) })
}

// enter acquires the lock of the set for process i.
func (k *kernel) enter(i int) {
	if k.Or(wants(i))&wanting != 0 {
		spin.Until(func() bool { return k.Load()&given(i) != 0 })
	}
}

// leave changes the set and releases its lock. The loop has at most two rounds, because
// the compare-and-swap fails only if another process has come to want the lock.
func (k *kernel) leave(i int, change func(asleep uint64) uint64) {
	for {
		now := k.Load()
		after := now&^(sleeping|wants(i)|given(i)) | change(now&sleeping)
		if others := after & wanting; others != 0 {
			k.Add(after | given(next(others>>MostProcs, i)) - now)
			return
		}
		if k.CompareAndSwap(now, after) {
			return
		}
	}
}

// next returns the first process of a set behind process i in cyclic order.
func next(set uint64, i int) int {
	if behind := set >> i << i; behind != 0 {
		set = behind
	}
	return bits.TrailingZeros64(set)
}
