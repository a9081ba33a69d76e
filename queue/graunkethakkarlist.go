package queue

import (
	"sync/atomic"

	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

// GraunkeThakkarList returns the specification of the list form of Graunke and Thakkar's
// lock, with its words laid out and its stores made as told.
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

// GraunkeThakkarListMutex is the lock of Graunke and Thakkar without an array: the lock
// is one word, each process brings a word with its bit, and those who wait are a list
// in which each knows the word before its own.
//
// Source: GraunkeThakkarList.c of github.com/pabuhr/concurrent-locking, f32f830; after Gary
// Graunke and Shreekant Thakkar, "Synchronization Algorithms for Shared-Memory
// Multiprocessors", IEEE Computer 23(6), 1990, p. 60-69, as John M. Mellor-Crummey and
// Michael L. Scott restate them, ACM TOCS 9(1), 1991, fig. 4, where tail has the address
// of a bit.
//
// Registers: the word of process i, a bit, written by it; one more word, the lock's own, which
// no process writes; tail, the last word of the list and the value at which its bit says
// that its process has not left, swapped by all.
//
// Properties: those of the array, for the same reasons. A process knows its bit, and
// reads only the word before its own; the lock need not know who will come.
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
// Released stores: line 3, which leaves the critical section before it where it is, and
// keeps the successor waiting while it cannot be seen; the process's next passage begins
// with line 1, a swap, which takes it to memory.
//
// Deviations: the words are numbered, as the nodes of the other queues are, and number and
// bit are one number; in C the bit is the lowest of an address. The lock's own word, with
// which tail begins, is the first process's in C, to be had before the lock is used.
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

// Lock is the entry section of process i.
func (l *GraunkeThakkarListMutex) Lock(i int) {
	last := l.tail.Swap(2*uint32(i) + *l.private.At(i)) // 1
	ahead, locked := l.word.At(int(last/2)), last%2
	spin.Until(func() bool { return ahead.Load() != locked }) // 2
}

// Unlock is the exit section of process i.
func (l *GraunkeThakkarListMutex) Unlock(i int) {
	b := l.private.At(i)
	*b = 1 - *b
	l.word.At(i).StoreReleaseIf(l.released, *b) // 3
}
