package rw

import (
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// numaAware is the paper that has the three cohort reader-writer locks.
var numaAware = shm.Source{
	Author: "Irina Calciu, Dave Dice, Yossi Lev, Victor Luchangco, Virendra J. Marathe and Nir Shavit",
	Title:  "NUMA-Aware Reader-Writer Locks",
	Venue:  "18th ACM Symposium on Principles and Practice of Parallel Programming",
	Year:   2013,
	Page:   "157-166",
}

// withoutNodes says what the cohort reader-writer locks of this package leave out.
const withoutNodes = "the cohort lock and the counters of readers, one for each node"

// CRWNP returns the specification of the cohort reader-writer lock without a preference,
// with the given layout and stores.
func CRWNP(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	inner := queue.MCS(layout, stores)
	return shm.Algorithm{
		Name:   "rw/crwnp",
		Title:  "Cohort reader-writer lock without a preference, C-RW-NP",
		Source: numaAware,
		Class:  shm.FetchAndAdd | inner.Class,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Mixed: shm.Mixed{
				DeadlockFree: true,
				Writers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"},
				Readers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"},
			},
		},
		Space:      append(inner.Space, shm.Registers{Name: "readers", Count: shm.Const(1), Values: shm.NPlus1}),
		Simplified: withoutNodes,
	}.BuiltOver(inner, layout, stores, buildCRWNP)
}

// CRWNPMutex is a reader-writer lock over a lock: a reader acquires that lock to count itself,
// and a writer holds it and waits until no reader is left.
//
// Source: Irina Calciu, Dave Dice, Yossi Lev, Victor Luchangco, Virendra J. Marathe and Nir
// Shavit, "NUMA-Aware Reader-Writer Locks", PPoPP 2013, p. 157-166. Written after
// include/ck_rwcohort.h of github.com/concurrencykit/ck at commit 11baddcd.
//
// Registers: readers, the number of readers that are there, incremented by the reader that
// holds the inner lock and decremented by all; those of the inner lock, an MCS lock.
//
// Properties: mutual exclusion, because no reader counts itself while a writer holds the
// inner lock. Readers and writers come to it in the order of their arrival, so no process
// starves.
//
// A reader's doorway is that of the inner lock, and so is a writer's.
//
//	reader's entry section:
//	R1 enter the inner lock
//	R2 readers + 1 (fetch-and-add)
//	R3 leave the inner lock
//	reader's exit section:
//	R4 readers - 1 (fetch-and-add)
//	writer's entry section:
//	W1 enter the inner lock
//	W2 wait until readers = 0
//	writer's exit section:
//	W3 leave the inner lock
//
// Released stores: those of the inner lock. A process has made all its other writes by
// read-modify-write operations.
//
// Deviations: the paper's inner lock is a cohort lock, and each node has a counter of
// readers. The program has one counter, and any cohort lock. Here the inner lock is an MCS
// lock.
type CRWNPMutex struct {
	_       shm.NoCopy
	_       shm.Pad
	readers register.Uint32
	_       shm.Pad
	inner   *queue.MCSMutex
}

// NewCRWNP returns the lock for n processes, or a *shm.ProcsError.
func NewCRWNP(n int, layout shm.Layout, stores shm.Stores) (*CRWNPMutex, error) {
	return shm.New[*CRWNPMutex](CRWNP(layout, stores), n)
}

func buildCRWNP(_ shm.Build, inner shm.Mutex) shm.Mutex {
	return &CRWNPMutex{inner: inner.(*queue.MCSMutex)}
}

// RLock acquires the lock for process i as a reader.
func (l *CRWNPMutex) RLock(i int) {
	l.inner.Lock(i)   // R1
	l.readers.Add(1)  // R2
	l.inner.Unlock(i) // R3
}

// RUnlock releases the lock for a reader.
func (l *CRWNPMutex) RUnlock(int) {
	l.readers.Add(^uint32(0)) // R4
}

// Lock acquires the lock for process i as a writer.
func (l *CRWNPMutex) Lock(i int) {
	l.inner.Lock(i)                                          // W1
	spin.Until(func() bool { return l.readers.Load() == 0 }) // W2
}

// Unlock releases the lock for writer i.
func (l *CRWNPMutex) Unlock(i int) {
	l.inner.Unlock(i) // W3
}
