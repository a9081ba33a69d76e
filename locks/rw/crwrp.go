package rw

import (
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// CRWRP returns the specification of the cohort reader-writer lock with reader preference,
// with the given layout and stores.
func CRWRP(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	inner := queue.MCS(layout, stores)
	return shm.Algorithm{
		Name:   "rw/crwrp",
		Title:  "Cohort reader-writer lock with reader preference, C-RW-RP",
		Source: numaAware,
		Class:  shm.FetchAndAdd | inner.Class,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Mixed:          shm.Mixed{DeadlockFree: true, Concurrent: true},
		},
		Space: append(inner.Space,
			shm.Registers{Name: "readers", Count: shm.Const(1), Values: shm.NPlus1},
			shm.Registers{Name: "barrier", Count: shm.Const(1), Values: shm.N}),
		Simplified: withoutNodes,
	}.BuiltOver(inner, layout, stores, buildCRWRP)
}

// CRWRPMutex is a reader-writer lock over a lock: a reader counts itself and waits for the
// writer that holds the inner lock. A writer leaves the inner lock to the readers that are
// there. A writer that has waited for long raises a barrier, at which new readers wait.
//
// Source: Irina Calciu, Dave Dice, Yossi Lev, Victor Luchangco, Virendra J. Marathe and Nir
// Shavit, "NUMA-Aware Reader-Writer Locks", PPoPP 2013, p. 157-166. Written after
// include/ck_rwcohort.h of github.com/concurrencykit/ck at commit 11baddcd.
//
// Registers: readers, the number of readers that are there, changed by readers; barrier, the
// number of writers that have raised it, changed by these; those of the inner lock, an MCS
// lock.
//
// Properties: mutual exclusion, because a reader first counts itself and then looks at the
// inner lock. A writer first acquires the inner lock and then looks at the count. Without
// the barrier, readers that keep coming starve the writers. With the barrier, writers that
// keep raising it starve the readers.
//
// A reader has no doorway. A writer's doorway is that of the inner lock.
//
//	reader's entry section:
//	1  wait until barrier = 0
//	2  readers + 1 (fetch-and-add)
//	3  wait until the inner lock is not held
//	reader's exit section:
//	4  readers - 1 (fetch-and-add)
//	writer's entry section:
//	5  enter the inner lock
//	6  if readers = 0 then goto 10
//	7  leave the inner lock
//	8  wait until readers = 0; after patience polls of the passage, once: barrier + 1 (fetch-and-add)
//	9  goto 5
//	10 if this writer has raised the barrier then barrier - 1 (fetch-and-add)
//	writer's exit section:
//	11 leave the inner lock
//
// Released stores: those of the inner lock. A process makes all other writes by
// read-modify-write operations, and it does so before it looks at what others have written.
//
// Deviations: the paper's inner lock is a cohort lock, and each node has a counter of
// readers. The program has one counter, and any cohort lock. Here the inner lock is an MCS
// lock. Patience is 2 polls, so that a check comes to the end of it; the program's is 1,000.
type CRWRPMutex struct {
	_       shm.NoCopy
	_       shm.Pad
	readers register.Uint32
	_       shm.Pad
	barrier register.Uint32
	_       shm.Pad
	inner   *queue.MCSMutex
}

// patience is how many polls of a process fail before it raises the barrier.
const patience = 2

// NewCRWRP returns the lock for n processes, or a *shm.ProcsError.
func NewCRWRP(n int, layout shm.Layout, stores shm.Stores) (*CRWRPMutex, error) {
	return shm.New[*CRWRPMutex](CRWRP(layout, stores), n)
}

func buildCRWRP(_ shm.Build, inner shm.Mutex) shm.Mutex {
	return &CRWRPMutex{inner: inner.(*queue.MCSMutex)}
}

// RLock acquires the lock for process i as a reader.
func (l *CRWRPMutex) RLock(int) {
	spin.Until(func() bool { return l.barrier.Load() == 0 }) // 1
	l.readers.Add(1)                                         // 2
	spin.Until(func() bool { return !l.inner.Held() })       // 3
}

// RUnlock releases the lock for a reader.
func (l *CRWRPMutex) RUnlock(int) {
	l.readers.Add(^uint32(0)) // 4
}

// Lock acquires the lock for process i as a writer.
func (l *CRWRPMutex) Lock(i int) {
	polls := 0
	for {
		l.inner.Lock(i)            // 5
		if l.readers.Load() == 0 { // 6
			break
		}
		l.inner.Unlock(i)                               // 7
		for polls < patience && l.readers.Load() != 0 { // 8
			polls++
			if polls == patience {
				l.barrier.Add(1) // 8
			}
			spin.Pause()
		}
		spin.Until(func() bool { return l.readers.Load() == 0 }) // 8
	}
	if polls == patience {
		l.barrier.Add(^uint32(0)) // 10
	}
}

// Unlock releases the lock for writer i.
func (l *CRWRPMutex) Unlock(i int) {
	l.inner.Unlock(i) // 11
}
