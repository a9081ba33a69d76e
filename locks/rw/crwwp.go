package rw

import (
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// CRWWP returns the specification of the cohort reader-writer lock with writer preference,
// with the given layout and stores.
func CRWWP(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := CRWRP(layout, stores)
	a.Name, a.Title = "rw/crwwp", "Cohort reader-writer lock with writer preference, C-RW-WP"
	return a.BuiltOver(queue.MCS(layout, stores), layout, stores, buildCRWWP)
}

// CRWWPMutex is a reader-writer lock over a lock: a reader that finds the inner lock held
// takes its count back and waits. A writer holds the inner lock and waits for the readers
// that are there. A reader that has waited for long raises a barrier, at which new writers
// wait.
//
// Source: Irina Calciu, Dave Dice, Yossi Lev, Victor Luchangco, Virendra J. Marathe and Nir
// Shavit, "NUMA-Aware Reader-Writer Locks", PPoPP 2013, p. 157-166. Written after
// include/ck_rwcohort.h of github.com/concurrencykit/ck at commit 11baddcd.
//
// Registers: readers, the number of readers that are there, changed by readers; barrier, the
// number of readers that have raised it, changed by these; those of the inner lock, an MCS
// lock.
//
// Properties: mutual exclusion, because a reader first counts itself and then looks at the
// inner lock. A writer first acquires the inner lock and then looks at the count. Without
// the barrier, writers that keep coming starve the readers. With the barrier, readers that
// keep raising it starve the writers.
//
// A reader has no doorway. While there are writers only, a writer's doorway is that of the
// inner lock.
//
//	reader's entry section:
//	1  readers + 1 (fetch-and-add)
//	2  if the inner lock is not held then goto 6
//	3  readers - 1 (fetch-and-add)
//	4  wait until the inner lock is not held; after patience polls of the passage, once: barrier + 1 (fetch-and-add)
//	5  goto 1
//	6  if this reader has raised the barrier then barrier - 1 (fetch-and-add)
//	reader's exit section:
//	7  readers - 1 (fetch-and-add)
//	writer's entry section:
//	8  wait until barrier = 0
//	9  enter the inner lock
//	10 wait until readers = 0
//	writer's exit section:
//	11 leave the inner lock
//
// Released stores: those of the inner lock. A process makes all other writes by
// read-modify-write operations, and it does so before it looks at what others have written.
//
// Deviations: the paper's inner lock is a cohort lock, and each node has a counter of
// readers. The program has one counter, and any cohort lock. Here the inner lock is an MCS
// lock. Patience is 2 polls, so that a check comes to the end of it; the program's is 1,000.
type CRWWPMutex struct {
	_       shm.NoCopy
	_       shm.Pad
	readers register.Uint32
	_       shm.Pad
	barrier register.Uint32
	_       shm.Pad
	inner   *queue.MCSMutex
}

// NewCRWWP returns the lock for n processes, or a *shm.ProcsError.
func NewCRWWP(n int, layout shm.Layout, stores shm.Stores) (*CRWWPMutex, error) {
	return shm.New[*CRWWPMutex](CRWWP(layout, stores), n)
}

func buildCRWWP(_ shm.Build, inner shm.Mutex) shm.Mutex {
	return &CRWWPMutex{inner: inner.(*queue.MCSMutex)}
}

// RLock acquires the lock for process i as a reader.
func (l *CRWWPMutex) RLock(int) {
	polls := 0
	for {
		l.readers.Add(1)     // 1
		if !l.inner.Held() { // 2
			break
		}
		l.readers.Add(^uint32(0))                // 3
		for polls < patience && l.inner.Held() { // 4
			polls++
			if polls == patience {
				l.barrier.Add(1) // 4
			}
			spin.Pause()
		}
		spin.Until(func() bool { return !l.inner.Held() }) // 4
	}
	if polls == patience {
		l.barrier.Add(^uint32(0)) // 6
	}
}

// RUnlock releases the lock for a reader.
func (l *CRWWPMutex) RUnlock(int) {
	l.readers.Add(^uint32(0)) // 7
}

// Lock acquires the lock for process i as a writer.
func (l *CRWWPMutex) Lock(i int) {
	spin.Until(func() bool { return l.barrier.Load() == 0 }) // 8
	l.inner.Lock(i)                                          // 9
	spin.Until(func() bool { return l.readers.Load() == 0 }) // 10
}

// Unlock releases the lock for writer i.
func (l *CRWWPMutex) Unlock(i int) {
	l.inner.Unlock(i) // 11
}
