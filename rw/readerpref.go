// Package rw holds reader-writer locks: several readers may be inside at once, or
// one writer alone. They differ in which processes wait for which, and so in which can starve.
package rw

import (
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

// scalable is the paper that has the three locks of counters.
var scalable = shm.Source{
	Author: "John M. Mellor-Crummey and Michael L. Scott",
	Title:  "Scalable Reader-Writer Synchronization for Shared-Memory Multiprocessors",
	Venue:  "3rd ACM Symposium on Principles and Practice of Parallel Programming",
	Year:   1991,
	Page:   "106-113",
}

// readersAndFlag is how many values a word takes that counts readers, times two, and the
// writer inside.
var readersAndFlag = shm.Formula{Text: "2n+1", At: func(n int) int { return 2*n + 1 }}

// ReaderPref is the specification of the reader-preference lock.
var ReaderPref = shm.Algorithm{
	Name:   "rw/readerpref",
	Title:  "Reader-preference lock of one counter",
	Source: scalable,
	Class:  shm.CompareAndSwap | shm.FetchAndAdd,
	Claims: shm.Claims{
		DeadlockFree: true,
		Mixed: shm.Mixed{
			DeadlockFree: true,
			Readers:      shm.Patient{StarvationFree: true, Bypass: shm.Const(0), Doorway: "1"},
			Concurrent:   true,
		},
	},
	Space: shm.Space{{Name: "l", Count: shm.Const(1), Values: readersAndFlag}},
}.Built(shm.Padded, shm.Sequential, buildReaderPref)

// ReaderPrefMutex is the reader-preference lock: readers announce themselves in the
// word that a writer must find empty.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Scalable Reader-Writer
// Synchronization for Shared-Memory Multiprocessors", PPoPP 1991, p. 106-113; read in
// the pseudo-code that the authors keep on the web.
//
// Registers: l, the number of readers that are there, times two, plus one while a
// writer is inside; written by all.
//
// Properties: a writer enters where l is 0 and leaves it odd, and so keeps out other
// writers, and readers on line 2. No writer enters after line 1 before the
// reader has left: readers wait for the writer inside only, and never starve. Writers
// can, while there are always readers, or among one another.
//
// A reader's doorway is line 1. A writer has none.
//
//	reader's entry section:
//	1  fetch-and-add(l, 2)
//	2  wait until l is even
//	reader's exit section:
//	3  fetch-and-add(l, -2)
//	writer's entry section:
//	4  repeat until compare-and-swap(l, 0, 1) succeeds
//	writer's exit section:
//	5  fetch-and-add(l, -1)
//
// Deviations: line 4 reads l first, so that waiting writers leave the word to the
// caches of all.
type ReaderPrefMutex struct {
	_ shm.NoCopy
	_ shm.Pad
	l register.Uint32
	_ shm.Pad
}

// What ReaderPrefMutex.l and WriterPrefMutex.l count.
const (
	writing = 1 // the flag of the writer inside
	reader  = 2 // one reader
)

// NewReaderPref returns a reader-preference lock for n processes, or a
// *shm.ProcsError.
func NewReaderPref(n int) (*ReaderPrefMutex, error) {
	return shm.New[*ReaderPrefMutex](ReaderPref, n)
}

func buildReaderPref(shm.Build) shm.Mutex { return new(ReaderPrefMutex) }

// RLock is the entry section of every reader.
func (l *ReaderPrefMutex) RLock(int) {
	l.l.Add(reader)                                            // 1
	spin.Until(func() bool { return l.l.Load()&writing == 0 }) // 2
}

// RUnlock is the exit section of every reader.
func (l *ReaderPrefMutex) RUnlock(int) {
	l.l.Add(^uint32(reader - 1)) // 3
}

// Lock is the entry section of every writer.
func (l *ReaderPrefMutex) Lock(int) {
	for l.l.Load() != 0 || !l.l.CompareAndSwap(0, writing) { // 4
		spin.Pause()
	}
}

// Unlock is the exit section of every writer.
func (l *ReaderPrefMutex) Unlock(int) {
	l.l.Add(^uint32(writing - 1)) // 5
}
