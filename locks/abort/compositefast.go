package abort

import (
	"shmbench/shm"
	"shmbench/shm/spin"
)

// CompositeFast returns the specification of CompositeLock with a fast path for a layout of
// its records and for its stores.
func CompositeFast(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := Composite(layout, stores)
	a.Name, a.Title = "abort/compositefast", "CompositeFastPathLock, CompositeLock with a fast path, fixed"
	return a.Built(layout, stores, func(b shm.Build) shm.Mutex {
		return &CompositeFastMutex{CompositeMutex: buildComposite(b).(*CompositeMutex)}
	})
}

// CompositeFastMutex is CompositeLock in which a process that finds the queue empty sets a
// bit of tail and enters without a record.
//
// Source: Maurice Herlihy and Nir Shavit, "The Art of Multiprocessor Programming", 2008,
// chapter 7. Written after src/TimeoutLock/CompositeFastPathLock.java of
// github.com/Jiqing-Huang/ConcObjects, commit c16382a. The book was not read. The paper behind it
// is named at CompositeMutex.
//
// Registers: those of CompositeMutex. A bit of tail says that a process is in its critical
// section by the fast path.
//
// Properties: those of CompositeMutex. A process enters by the fast path only if tail is nil
// and has no bit. A process with a record is the only one that line F4 lets in. This is
// because no process takes the fast path while that record is in the queue. The queue is
// empty before the first process has taken a record, and again for the time between lines 4
// and 6 of a process. A process that leaves its record does not empty the queue, so that
// later processes seldom find the fast path.
//
// There is no doorway.
//
//	timed entry section of process i:
//	F1 (t, s) := tail
//	F2 if t = nil and s has no bit then if compare-and-swap(tail, (nil, s), (nil, s + 1 with the bit)) succeeds then enter
//	F3 the timed entry section of CompositeMutex; fail if it fails
//	F4 until tail has no bit, if time is out then the exit section of CompositeMutex; fail
//	exit section:
//	F5 if tail has the bit then
//	F6     repeat (t, s) := tail until compare-and-swap(tail, (t, s), (t, s without the bit)) succeeds
//	F7 else the exit section of CompositeMutex
//
// Released stores: those of CompositeMutex.
//
// Deviations: those of CompositeMutex. The book's line F4 waits for the holder of the fast
// path although time is out.
type CompositeFastMutex struct{ *CompositeMutex }

// NewCompositeFast returns the lock for n processes, or a *shm.ProcsError.
func NewCompositeFast(n int, layout shm.Layout, stores shm.Stores) (*CompositeFastMutex, error) {
	return shm.New[*CompositeFastMutex](CompositeFast(layout, stores), n)
}

// Lock acquires the lock for process i.
func (l *CompositeFastMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i and returns true, or gives up and returns
// false after giveUp has returned true.
func (l *CompositeFastMutex) LockUntil(i int, giveUp func() bool) bool {
	t := l.tail.Load()                                                                                    // F1
	if t&(compositeName|compositeFast) == 0 && l.tail.CompareAndSwap(t, t+compositeStamp|compositeFast) { // F2
		return true
	}
	if !l.CompositeMutex.LockUntil(i, giveUp) { // F3
		return false
	}
	for l.tail.Load()&compositeFast != 0 { // F4
		if giveUp() {
			l.CompositeMutex.Unlock(i) // F4
			return false
		}
		spin.Pause()
	}
	return true
}

// Unlock releases the lock for process i.
func (l *CompositeFastMutex) Unlock(i int) {
	t := l.tail.Load() // F5
	if t&compositeFast == 0 {
		l.CompositeMutex.Unlock(i) // F7
		return
	}
	for !l.tail.CompareAndSwap(t, t&^compositeFast) { // F6
		spin.Pause()
		t = l.tail.Load() // F6
	}
}
