package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// compositeRecords is the number of records that all processes share.
const compositeRecords = 2

// Composite returns the specification of CompositeLock for a layout of its records and for its
// stores.
func Composite(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     "abort/composite",
		Title:    "CompositeLock, a queue of few records, fixed",
		Source:   multiprocessor,
		Class:    shm.CompareAndSwap,
		Explored: shm.Explored{Mixed: 2},
		Claims: shm.Claims{
			DeadlockFree: true,
			Mixed:        shm.Mixed{DeadlockFree: true, WaitFreeAbort: true},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1)},
			{Name: "state", Count: shm.Const(compositeRecords), Values: shm.Const(4)},
			{Name: "prev", Count: shm.Const(compositeRecords), Values: shm.Const(compositeRecords)},
		},
	}.Built(layout, stores, buildComposite)
}

// CompositeMutex is a queue lock with timeout that needs a constant number of words: the
// processes share a few records, and a process that gets no record backs off.
//
// Source: Maurice Herlihy and Nir Shavit, "The Art of Multiprocessor Programming", 2008,
// chapter 7. The lock is that of Virendra J. Marathe, Mark Moir and Nir Shavit, "Composite
// Abortable Locks", IPDPS 2006. Written after src/TimeoutLock/CompositeLock.java of
// github.com/Jiqing-Huang/ConcObjects, commit c16382a, which has the names of the book, with a
// fix on line 5. Neither the book nor the paper was read.
//
// Registers: tail, the last record of the queue or nil, and a stamp that counts the changes;
// for each record state, changed by all, and prev, which the process that has the record
// writes when it gives up.
//
// Properties: mutual exclusion, because a process enters when the nearest record before its
// own whose owner did not give up is released. One process at a time is behind that record.
// A process frees the records that it passes. The stamp prevents that line 4 or 6 succeeds
// with the value of tail of long ago. The lock is deadlock-free: each record is free, or in
// the queue before the process that frees it, or last in the queue. In the last case line 4
// can take it. A process can fail to get a record any number of times, so that it can
// starve, and there is no order.
//
// There is no doorway.
//
//	timed entry section of process i:
//	1  k := the next record
//	2  if compare-and-swap(state[k], free, waiting) succeeds then goto 6
//	3  (t, s) := tail
//	4  if state[k] is released or aborted, and t = k, then
//	       p := prev[k] if it is aborted, else nil
//	       if compare-and-swap(tail, (k, s), (p, s + 1)) succeeds then state[k] := waiting, goto 6
//	5  fail if time is out; goto 1
//	6  repeat (t, s) := tail, until compare-and-swap(tail, (t, s), (k, s + 1)) succeeds, or time is out: state[k] := free; fail
//	7  p := t; while p is not nil and state[p] is not released:
//	       if state[p] = aborted then q := p; p := prev[q]; state[q] := free
//	8      if time is out then prev[k] := p; state[k] := aborted; fail
//	9  if p is not nil then state[p] := free
//	exit section:
//	10 state[k] := released
//
// Released stores: all. A record whose change cannot be seen yet keeps other processes
// waiting: they do not take it, or do not go past it. The stores of line 8 reach memory in
// their order.
//
// The values of tail are unbounded, so that the check is within two passages of each
// process. Timed passages are checked for two processes by default. Within two passages of
// three processes they have 4.6 million states, in which the same holds.
//
// Deviations: the book's line 5 goes back to line 2, with the same record, and a patient
// process can wait for it forever (knownbroken/composite). The book draws a record at
// random; here each process takes the records in turn. The book waits longer and longer on
// line 5. The stamp has 47 bits.
type CompositeMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	tail     atomic.Uint64 // the name of a record or nil, and a stamp
	_        shm.Pad
	state    shm.Array[register.Uint32]  // by record
	prev     shm.Array[register.Uint32]  // by record: a name
	private  shm.Array[compositePrivate] // private[i] is used by process i only
}

type compositePrivate struct {
	next uint32 // the record that is taken next, from 0 on
	mine uint32 // a name
}

// The parts of tail. The name of a record is from 1 on.
const (
	compositeNil   = 0
	compositeName  = 1<<16 - 1
	compositeFast  = 1 << 16
	compositeStamp = 1 << 17
)

// The states of a record.
const (
	compositeFree = iota
	compositeWaiting
	compositeReleased
	compositeAborted
)

// NewComposite returns the lock for n processes, or a *shm.ProcsError.
func NewComposite(n int, layout shm.Layout, stores shm.Stores) (*CompositeMutex, error) {
	return shm.New[*CompositeMutex](Composite(layout, stores), n)
}

func buildComposite(b shm.Build) shm.Mutex {
	l := &CompositeMutex{
		released: b.Released,
		state:    shm.NewArray[register.Uint32](compositeRecords, b.Layout),
		prev:     shm.NewArray[register.Uint32](compositeRecords, b.Layout),
		private:  shm.NewArray[compositePrivate](b.N, shm.Padded),
	}
	for i := range b.N {
		l.private.At(i).next = uint32(i % compositeRecords)
	}
	return l
}

func (l *CompositeMutex) stateOf(name uint32) *register.Uint32 { return l.state.At(int(name - 1)) }

func (l *CompositeMutex) prevOf(name uint32) *register.Uint32 { return l.prev.At(int(name - 1)) }

// Lock acquires the lock for process i.
func (l *CompositeMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i and returns true, or gives up and returns
// false after giveUp has returned true.
func (l *CompositeMutex) LockUntil(i int, giveUp func() bool) bool {
	k := l.draw(i) // 1
	for !l.acquire(k) {
		if giveUp() { // 5
			return false
		}
		spin.Pause()
		k = l.draw(i) // 1
	}
	for {
		t := l.tail.Load()                                                       // 6
		if l.tail.CompareAndSwap(t, t&^compositeName+compositeStamp+uint64(k)) { // 6
			return l.wait(i, k, uint32(t&compositeName), giveUp)
		}
		if giveUp() {
			l.stateOf(k).StoreReleaseIf(l.released, compositeFree) // 6
			return false
		}
		spin.Pause()
	}
}

// draw is line 1; it returns the name of a record.
func (l *CompositeMutex) draw(i int) uint32 {
	p := l.private.At(i)
	k := p.next + 1
	p.next = k % compositeRecords
	return k
}

// acquire is lines 2 to 4; it reports whether the process has the record.
func (l *CompositeMutex) acquire(k uint32) bool {
	if l.stateOf(k).CompareAndSwap(compositeFree, compositeWaiting) { // 2
		return true
	}
	t := l.tail.Load()           // 3
	state := l.stateOf(k).Load() // 4
	if state != compositeReleased && state != compositeAborted || uint32(t&compositeName) != k {
		return false
	}
	p := uint32(compositeNil)
	if state == compositeAborted {
		p = l.prevOf(k).Load() // 4
	}
	if !l.tail.CompareAndSwap(t, t&^compositeName+compositeStamp+uint64(p)) { // 4
		return false
	}
	l.stateOf(k).StoreReleaseIf(l.released, compositeWaiting) // 4
	return true
}

// wait is lines 7 to 9 for the process that has the record k behind p.
func (l *CompositeMutex) wait(i int, k, p uint32, giveUp func() bool) bool {
	for p != compositeNil {
		switch l.stateOf(p).Load() { // 7
		case compositeReleased:
			l.stateOf(p).StoreReleaseIf(l.released, compositeFree) // 9
			p = compositeNil
		case compositeAborted:
			q := p
			p = l.prevOf(q).Load()                                 // 7
			l.stateOf(q).StoreReleaseIf(l.released, compositeFree) // 7
		default:
			if giveUp() {
				l.prevOf(k).StoreReleaseIf(l.released, p)                 // 8
				l.stateOf(k).StoreReleaseIf(l.released, compositeAborted) // 8
				return false
			}
			spin.Pause()
		}
	}
	l.private.At(i).mine = k
	return true
}

// Unlock releases the lock for process i.
func (l *CompositeMutex) Unlock(i int) {
	l.stateOf(l.private.At(i).mine).StoreReleaseIf(l.released, compositeReleased) // 10
}
