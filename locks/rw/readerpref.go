// Package rw holds reader-writer locks: several readers, or one writer alone, may be in the
// critical section at once. The locks differ in which processes wait for which, and so in
// which can starve.
package rw

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// scalable is the paper that has the three locks of counters.
var scalable = shm.Source{
	Author: "John M. Mellor-Crummey and Michael L. Scott",
	Title:  "Scalable Reader-Writer Synchronization for Shared-Memory Multiprocessors",
	Venue:  "3rd ACM Symposium on Principles and Practice of Parallel Programming",
	Year:   1991,
	Page:   "106-113",
}

// readersAndFlag is the number of values of a word that has twice the number of readers, plus
// one while a writer is in its critical section.
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

// ReaderPrefMutex is the reader-preference lock: readers count themselves in a word that must
// be 0 before a writer can enter.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Scalable Reader-Writer Synchronization
// for Shared-Memory Multiprocessors", PPoPP 1991, p. 106-113. Written after the pseudo-code on
// the authors' web page.
//
// Registers: l, twice the number of readers, plus one while a writer is in its critical
// section; all write it.
//
// Properties: a writer enters when l is 0 and leaves it odd, which stops other writers, and
// readers on line 2. After line 1 of a reader, no writer enters before that reader has left:
// readers wait only for the writer in its critical section, and never starve. A writer can
// starve if there are always readers, or because of other writers.
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
// Deviations: line 4 reads l first, so that the cached copies of waiting writers stay valid.
type ReaderPrefMutex struct {
	_ shm.NoCopy
	_ shm.Pad
	l register.Uint32
	_ shm.Pad
}

// The parts of ReaderPrefMutex.l and WriterPrefMutex.l.
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

// RLock acquires the lock for any reader.
func (l *ReaderPrefMutex) RLock(int) {
	l.l.Add(reader)                                            // 1
	spin.Until(func() bool { return l.l.Load()&writing == 0 }) // 2
}

// RUnlock releases the lock for any reader.
func (l *ReaderPrefMutex) RUnlock(int) {
	l.l.Add(^uint32(reader - 1)) // 3
}

// Lock acquires the lock for any writer.
func (l *ReaderPrefMutex) Lock(int) {
	for l.l.Load() != 0 || !l.l.CompareAndSwap(0, writing) { // 4
		spin.Pause()
	}
}

// Unlock releases the lock for any writer.
func (l *ReaderPrefMutex) Unlock(int) {
	l.l.Add(^uint32(writing - 1)) // 5
}
