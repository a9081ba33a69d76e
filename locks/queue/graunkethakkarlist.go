package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// GraunkeThakkarList returns the specification of the list form of Graunke and Thakkar's lock
// for a layout of its words and for its stores.
func GraunkeThakkarList(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "queue/graunkethakkarlist",
		Title: "Graunke and Thakkar's lock, as a list",
		Source: shm.Source{
			Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
			Title:  "GraunkeThakkarList.c, after Graunke and Thakkar",
			Venue:  "github.com/pabuhr/concurrent-locking",
			Year:   2023,
		},
		Class: shm.Swap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "word", Count: shm.NPlus1, Values: shm.Const(2), SingleWriter: true},
			{Name: "tail", Count: shm.Const(1), Values: shm.Formula{Text: "2n+1", At: func(n int) int { return 2*n + 1 }}},
		},
	}.Built(layout, stores, buildGraunkeThakkarList)
}

// GraunkeThakkarListMutex is the lock of Graunke and Thakkar without an array. The lock is one
// word. Each process has a word with its bit. The waiting processes form a list in which each
// knows the word before its own.
//
// Source: GraunkeThakkarList.c of github.com/pabuhr/concurrent-locking, f32f830; after Gary
// Graunke and Shreekant Thakkar, "Synchronization Algorithms for Shared-Memory
// Multiprocessors", IEEE Computer 23(6), 1990, p. 60-69, as John M. Mellor-Crummey and
// Michael L. Scott restate them, ACM TOCS 9(1), 1991, fig. 4, where tail has the address
// of a bit.
//
// Registers: the word of process i, a bit, which process i writes; one more word, which
// belongs to the lock and is never written; tail, swapped by all: the last word of the list,
// and the value that its bit has until its process leaves.
//
// Properties: those of the array lock, for the same reasons. A process knows its own bit, and
// reads only the word before its own. The lock does not need to know its processes in advance.
//
// The doorway is line 1.
//
//	entry section of process i, whose word is w and bit b:
//	1  (ahead, locked) := swap(tail, (w, b))
//	2  wait until *ahead is not locked
//	exit section of process i:
//	3  b := not b; *w := b
//
// At first all bits are false, and tail is (the lock's own word, true): the lock is free.
//
// Released stores: line 3, which no access of the critical section can pass, and which keeps
// the successor waiting until it is visible. The process's next passage begins with line 1, a
// swap, which takes it to memory.
//
// Deviations: words have numbers, like the nodes of the other queues. The number of a word and
// a bit are one number; in C the bit is the lowest bit of an address. In C the word with which
// tail begins belongs to the first process, and must exist before the lock is used.
type GraunkeThakkarListMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // 2*word + bit
	_        shm.Pad
	released bool
	word     shm.Array[register.Uint32] // word[i] is process i's, word[n] the lock's
	private  shm.Array[uint32]          // private[i], the bit b, is used by process i only
}

// NewGraunkeThakkarList returns the lock for n processes, or a *shm.ProcsError.
func NewGraunkeThakkarList(n int, layout shm.Layout, stores shm.Stores) (*GraunkeThakkarListMutex, error) {
	return shm.New[*GraunkeThakkarListMutex](GraunkeThakkarList(layout, stores), n)
}

func buildGraunkeThakkarList(b shm.Build) shm.Mutex {
	l := &GraunkeThakkarListMutex{
		released: b.Released,
		word:     shm.NewArray[register.Uint32](b.N+1, b.Layout),
		private:  shm.NewArray[uint32](b.N, shm.Padded),
	}
	l.tail.Store(2*uint32(b.N) + 1)
	return l
}

// Lock acquires the lock for process i.
func (l *GraunkeThakkarListMutex) Lock(i int) {
	last := l.tail.Swap(2*uint32(i) + *l.private.At(i)) // 1
	ahead, locked := l.word.At(int(last/2)), last%2
	spin.Until(func() bool { return ahead.Load() != locked }) // 2
}

// Unlock releases the lock for process i.
func (l *GraunkeThakkarListMutex) Unlock(i int) {
	b := l.private.At(i)
	*b = 1 - *b
	l.word.At(i).StoreReleaseIf(l.released, *b) // 3
}
