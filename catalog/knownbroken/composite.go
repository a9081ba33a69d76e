package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// composite is CompositeLock of a book. A process chooses a record once, and then tries to get
// this record until its time is out. If the record is released but is not the last one of the
// queue, only a process behind it frees it. That process may have given up, and then its own
// record is the last one. A patient process that has chosen the first record waits forever,
// although no process holds the lock.
var composite = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/composite",
		Title: "CompositeLock, which draws a record once",
		Source: shm.Source{
			Author: "Maurice Herlihy and Nir Shavit",
			Title:  "The Art of Multiprocessor Programming",
			Venue:  "Morgan Kaufmann",
			Year:   2008,
		},
		Class:    shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, Mixed: shm.Mixed{DeadlockFree: true, WaitFreeAbort: true}},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1)},
			{Name: "state", Count: shm.Const(compositeRecords), Values: shm.Const(4)},
			{Name: "prev", Count: shm.Const(compositeRecords), Values: shm.Const(compositeRecords)},
		},
	},
	Read:     "src/TimeoutLock/CompositeLock.java of github.com/Jiqing-Huang/ConcObjects, commit c16382a, and a program of the book's authors in package org.artofmp.chapter7.spin, which draws at the same place; the book was not seen",
	Claimed:  "a lock with little space, which grants requests that wait long enough",
	Property: deadlock,
	Verdict:  "a process waits for a record that only the owner of another record frees, and this owner has given up.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    19,
	Fix:      "a process that cannot get its record draws another one",
	Fixed:    "abort/composite",
}, func(n int) shm.Mutex {
	l := &compositeMutex{drawn: make([]int, n), mine: make([]uint64, n)}
	for i := range n {
		l.drawn[i] = 2 * i % (2 * compositeRecords)
	}
	return l
})

// compositeRecords is the number of records.
const compositeRecords = 2

// compositeMutex is the lock. The book draws by a random number. Here each process draws
// the records in turn, each one twice.
//
//	timed entry section of process i:
//	1  k := a record, drawn
//	2  if compare-and-swap(state[k], free, waiting) succeeds then goto 6
//	3  (t, s) := tail
//	4  if state[k] is released or aborted, and t = k, then
//	       p := prev[k] if it is aborted, else nil
//	       if compare-and-swap(tail, (k, s), (p, s + 1)) succeeds then state[k] := waiting, goto 6
//	5  fail if time is out; goto 2
//	6  repeat (t, s) := tail, fail with state[k] := free if time is out, until compare-and-swap(tail, (t, s), (k, s + 1)) succeeds
//	7  p := t; while p is not nil and state[p] is not released:
//	       if state[p] = aborted then q := p; p := prev[q]; state[q] := free
//	8      if time is out then prev[k] := p; state[k] := aborted; fail
//	9  if p is not nil then state[p] := free
//	exit section:
//	10 state[k] := released
type compositeMutex struct {
	tail  atomic.Uint64                   // the name of a record or nil, and a stamp
	state [compositeRecords]atomic.Uint32 // by record
	prev  [compositeRecords]atomic.Uint64 // by record: a name
	drawn []int                           // drawn[i] and mine[i] are used by process i only
	mine  []uint64                        // a name
}

// A record has a name from 1 on. The stamp is in the upper half of the word.
const (
	compositeNil   = 0
	compositeName  = 1<<32 - 1
	compositeStamp = 1 << 32
)

// The states of a record.
const (
	compositeFree = iota
	compositeWaiting
	compositeReleased
	compositeAborted
)

func (l *compositeMutex) stateOf(name uint64) *atomic.Uint32 { return &l.state[name-1] }

func (l *compositeMutex) prevOf(name uint64) *atomic.Uint64 { return &l.prev[name-1] }

func (l *compositeMutex) Lock(i int) { l.LockUntil(i, func() bool { return false }) }

func (l *compositeMutex) LockUntil(i int, giveUp func() bool) bool {
	k := uint64(l.drawn[i]/2 + 1) // 1
	l.drawn[i] = (l.drawn[i] + 1) % (2 * compositeRecords)
	for !l.acquire(k) {
		if giveUp() { // 5
			return false
		}
		spin.Pause()
	}
	for {
		t := l.tail.Load() // 6
		if giveUp() {
			l.stateOf(k).Store(compositeFree) // 6
			return false
		}
		if l.tail.CompareAndSwap(t, t&^compositeName+compositeStamp+k) { // 6
			l.mine[i] = k
			return l.wait(k, t&compositeName, giveUp)
		}
		spin.Pause()
	}
}

// acquire is lines 2 to 4.
func (l *compositeMutex) acquire(k uint64) bool {
	if l.stateOf(k).CompareAndSwap(compositeFree, compositeWaiting) { // 2
		return true
	}
	t := l.tail.Load()           // 3
	state := l.stateOf(k).Load() // 4
	if state != compositeReleased && state != compositeAborted || t&compositeName != k {
		return false
	}
	p := uint64(compositeNil)
	if state == compositeAborted {
		p = l.prevOf(k).Load() // 4
	}
	if !l.tail.CompareAndSwap(t, t&^compositeName+compositeStamp+p) { // 4
		return false
	}
	l.stateOf(k).Store(compositeWaiting) // 4
	return true
}

// wait is lines 7 to 9.
func (l *compositeMutex) wait(k, p uint64, giveUp func() bool) bool {
	for p != compositeNil {
		switch l.stateOf(p).Load() { // 7
		case compositeReleased:
			l.stateOf(p).Store(compositeFree) // 9
			return true
		case compositeAborted:
			q := p
			p = l.prevOf(q).Load()            // 7
			l.stateOf(q).Store(compositeFree) // 7
		default:
			if giveUp() {
				l.prevOf(k).Store(p)                 // 8
				l.stateOf(k).Store(compositeAborted) // 8
				return false
			}
			spin.Pause()
		}
	}
	return true
}

func (l *compositeMutex) Unlock(i int) {
	l.stateOf(l.mine[i]).Store(compositeReleased) // 10
}
