package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var graunkeThakkar = queue.GraunkeThakkar(shm.Packed, shm.Sequential)

var graunkeThakkars = []Mutant{
	mutate(graunkeThakkar, "graunkethakkar-split-swap", "the tail is read and written in two steps", Safety, 2,
		func(n int) shm.Mutex { return &graunkeThakkarSplitSwap{newGraunkeThakkar(n, 1)} }).using(shm.ReadWrite),
	mutate(graunkeThakkar, "graunkethakkar-tail-held", "the tail begins as that of a process that has not left", Deadlock, 1,
		func(n int) shm.Mutex { return &graunkeThakkarTailHeld{newGraunkeThakkar(n, 0)} }),
	mutate(graunkeThakkar, "graunkethakkar-bit-later", "the predecessor's bit is read after the swap, and not swapped with its name", Deadlock, 1,
		func(n int) shm.Mutex { return &graunkeThakkarBitLater{newGraunkeThakkar(n, 1)} }),
}

// graunkeThakkarBase is Graunke and Thakkar's lock:
//
//	entry section of process i:
//	1  b := slots[i]
//	2  (ahead, locked) := swap(tail, (i, b))
//	3  wait until slots[ahead] is not locked
//	exit section of process i:
//	4  slots[i] := not slots[i]
type graunkeThakkarBase struct {
	slots []atomic.Uint32
	tail  atomic.Uint32 // twice the process, plus its bit
}

func newGraunkeThakkar(n int, tail uint32) *graunkeThakkarBase {
	l := &graunkeThakkarBase{slots: make([]atomic.Uint32, n)}
	l.tail.Store(tail)
	return l
}

// last is process i in the tail, with line 1.
func (l *graunkeThakkarBase) last(i int) uint32 { return 2*uint32(i) + l.slots[i].Load() }

// await is line 3.
func (l *graunkeThakkarBase) await(last uint32) {
	ahead, locked := &l.slots[last/2], last%2
	spin.Until(func() bool { return ahead.Load() != locked })
}

func (l *graunkeThakkarBase) Lock(i int) {
	l.await(l.tail.Swap(l.last(i))) // 1, 2, 3
}

func (l *graunkeThakkarBase) Unlock(i int) {
	l.slots[i].Store(1 - l.slots[i].Load()) // 4
}

type graunkeThakkarSplitSwap struct{ *graunkeThakkarBase }

func (l *graunkeThakkarSplitSwap) Lock(i int) {
	mine := l.last(i)     // 1
	last := l.tail.Load() // 2
	l.tail.Store(mine)    // 2
	l.await(last)         // 3
}

type graunkeThakkarTailHeld struct{ *graunkeThakkarBase }

type graunkeThakkarBitLater struct{ *graunkeThakkarBase }

func (l *graunkeThakkarBitLater) Lock(i int) {
	ahead := l.tail.Swap(l.last(i)) / 2      // 1, 2
	l.await(2*ahead + l.slots[ahead].Load()) // 3
}
