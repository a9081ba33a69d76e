package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var graunkeThakkarList = queue.GraunkeThakkarList(shm.Packed, shm.Sequential)

var graunkeThakkarLists = []Mutant{
	// The swap is what makes one list of all who come: two who have read the same tail wait for
	// the same word.
	mutate(graunkeThakkarList, "graunkethakkarlist-split-swap", "the tail is read and written in two steps", Safety, 2,
		func(n int) shm.Mutex { return &graunkeThakkarListSplitSwap{newGraunkeThakkarList(n)} }).using(shm.ReadWrite),
	// The bit is kept from passage to passage: one that is always left at true tells the process's
	// next successor that it has left before it has entered.
	mutate(graunkeThakkarList, "graunkethakkarlist-bit-stays", "the bit is set on leaving, and not flipped", Safety, 2,
		func(n int) shm.Mutex { return &graunkeThakkarListBitStays{newGraunkeThakkarList(n)} }),
	// The word has to follow the bit: successors wait for the word, and are told the bit.
	mutate(graunkeThakkarList, "graunkethakkarlist-word-kept", "the bit is flipped, and the word not written", Deadlock, 1,
		func(n int) shm.Mutex { return &graunkeThakkarListWordKept{newGraunkeThakkarList(n)} }),
}

// graunkeThakkarListBase is the list form of Graunke and Thakkar's lock:
//
//	entry section of process i, whose word is w and bit b:
//	1  (ahead, locked) := swap(tail, (w, b))
//	2  wait until *ahead is not locked
//	exit section of process i:
//	3  b := not b; *w := b
type graunkeThakkarListBase struct {
	word []atomic.Uint32
	tail atomic.Uint32 // twice the word, plus its bit
	bit  []uint32
}

func newGraunkeThakkarList(n int) *graunkeThakkarListBase {
	l := &graunkeThakkarListBase{word: make([]atomic.Uint32, n+1), bit: make([]uint32, n)}
	l.tail.Store(2*uint32(n) + 1)
	return l
}

// await is line 2.
func (l *graunkeThakkarListBase) await(last uint32) {
	ahead, locked := &l.word[last/2], last%2
	spin.Until(func() bool { return ahead.Load() != locked })
}

func (l *graunkeThakkarListBase) Lock(i int) {
	l.await(l.tail.Swap(2*uint32(i) + l.bit[i])) // 1, 2
}

func (l *graunkeThakkarListBase) Unlock(i int) {
	l.bit[i] = 1 - l.bit[i]
	l.word[i].Store(l.bit[i]) // 3
}

type graunkeThakkarListSplitSwap struct{ *graunkeThakkarListBase }

func (l *graunkeThakkarListSplitSwap) Lock(i int) {
	last := l.tail.Load()                // 1
	l.tail.Store(2*uint32(i) + l.bit[i]) // 1
	l.await(last)                        // 2
}

type graunkeThakkarListBitStays struct{ *graunkeThakkarListBase }

func (l *graunkeThakkarListBitStays) Unlock(i int) {
	l.word[i].Store(1) // 3
}

type graunkeThakkarListWordKept struct{ *graunkeThakkarListBase }

func (l *graunkeThakkarListWordKept) Unlock(i int) {
	l.bit[i] = 1 - l.bit[i] // 3
}
