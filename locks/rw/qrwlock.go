package rw

import (
	"slices"
	"sync/atomic"

	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// QRWLock returns the specification of Linux's queued reader-writer lock, with the queue
// in the given layout.
func QRWLock(layout shm.Layout) shm.Algorithm {
	inner := queue.MCS(layout, shm.Sequential)
	return shm.Algorithm{
		Name:  "rw/qrwlock",
		Title: "Linux's queued reader-writer lock",
		Source: shm.Source{
			Author: "Waiman Long",
			Title:  "kernel/locking/qrwlock.c",
			Venue:  "Linux 3.16",
			Year:   2014,
		},
		Class: shm.FetchAndAdd | shm.CompareAndSwap | inner.Class,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed: shm.Mixed{
				DeadlockFree: true,
				Writers:      shm.Patient{StarvationFree: true},
				Readers:      shm.Patient{StarvationFree: true},
			},
		},
		Space: slices.Concat(shm.Space{{Name: "cnts", Count: shm.Const(1), Values: shm.Formula{Text: "4n", At: func(n int) int { return 4 * n }}}}, inner.Space),
	}.BuiltOver(inner, layout, shm.Sequential, buildQRWLock)
}

// QRWLockMutex is Linux's queued reader-writer lock: one word for processes that find the
// lock free, and a fair lock in which all others queue up, readers and writers alike.
//
// Source: Waiman Long, Linux 3.16, 2014. Written after kernel/locking/qrwlock.c of
// github.com/torvalds/linux at commit 0d3001e2.
//
// Registers: cnts, changed by all, and those of the inner lock, an MCS lock. The register
// cnts has a bit for the writer that holds the lock, and a bit for the writer that waits
// first in the queue. It also has the number of readers.
//
// Properties: mutual exclusion, because a writer sets its bit only while cnts has no reader
// and no writer. A reader that sees this bit waits for it. A process in the queue becomes
// its head, because the head waits only for processes that hold the lock. Once the head has
// its bit or its count in cnts, no writer takes the lock past it on line 5. No reader then
// takes it past a writer on line 1. So no process starves. Until then others can pass it on
// these lines any number of times: the bypass is unbounded. Readers are in their critical
// sections together. A reader that a writer has sent to the queue still waits for the
// readers before it in the queue when the writer has left.
//
// There is no doorway.
//
//	reader's entry section:
//	1  if cnts + reader (fetch-and-add) has neither waiting nor locked then enter
//	2  cnts - reader; enter the inner lock
//	3  cnts + reader; wait until cnts has not locked; leave the inner lock
//	reader's exit section:
//	4  cnts - reader
//	writer's entry section:
//	5  if compare-and-swap(cnts, 0, locked) succeeds then enter
//	6  enter the inner lock
//	7  if cnts = 0 then if compare-and-swap(cnts, 0, locked) succeeds then goto 10
//	8  cnts + waiting
//	9  repeat wait until cnts = waiting, until compare-and-swap(cnts, waiting, locked) succeeds
//	10 leave the inner lock
//	writer's exit section:
//	11 cnts - locked
//
// Deviations: the kernel's inner lock is the spinlock of the architecture, on most the
// queued spinlock. Line 11 is a store to a byte there. Readers in interrupts, which skip
// the queue, are left out.
type QRWLockMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	cnts  atomic.Uint32
	_     shm.Pad
	inner *queue.MCSMutex
}

// The parts of cnts.
const (
	qrwLocked  = 1
	qrwWaiting = 2
	qrwReader  = 4
)

// NewQRWLock returns the lock for n processes, or a *shm.ProcsError.
func NewQRWLock(n int, layout shm.Layout) (*QRWLockMutex, error) {
	return shm.New[*QRWLockMutex](QRWLock(layout), n)
}

func buildQRWLock(_ shm.Build, inner shm.Mutex) shm.Mutex {
	return &QRWLockMutex{inner: inner.(*queue.MCSMutex)}
}

// RLock acquires the lock for process i as a reader.
func (l *QRWLockMutex) RLock(i int) {
	if l.cnts.Add(qrwReader)&(qrwWaiting|qrwLocked) == 0 { // 1
		return
	}
	l.cnts.Add(^uint32(qrwReader - 1))                              // 2
	l.inner.Lock(i)                                                 // 2
	l.cnts.Add(qrwReader)                                           // 3
	spin.Until(func() bool { return l.cnts.Load()&qrwLocked == 0 }) // 3
	l.inner.Unlock(i)                                               // 3
}

// RUnlock releases the lock for a reader.
func (l *QRWLockMutex) RUnlock(int) {
	l.cnts.Add(^uint32(qrwReader - 1)) // 4
}

// Lock acquires the lock for process i as a writer.
func (l *QRWLockMutex) Lock(i int) {
	if l.cnts.CompareAndSwap(0, qrwLocked) { // 5
		return
	}
	l.inner.Lock(i)                                                 // 6
	if l.cnts.Load() != 0 || !l.cnts.CompareAndSwap(0, qrwLocked) { // 7
		l.cnts.Add(qrwWaiting) // 8
		for {
			spin.Until(func() bool { return l.cnts.Load() == qrwWaiting }) // 9
			if l.cnts.CompareAndSwap(qrwWaiting, qrwLocked) {              // 9
				break
			}
			spin.Pause()
		}
	}
	l.inner.Unlock(i) // 10
}

// Unlock releases the lock for a writer.
func (l *QRWLockMutex) Unlock(int) {
	l.cnts.Add(^uint32(qrwLocked - 1)) // 11
}
