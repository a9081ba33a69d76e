package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// MCSNBMutex is the MCS lock in which a process that gives up waits for no other process. It
// leaves a record behind, and tells the process behind it, now or later, to go on from that
// record.
//
// Source: Michael L. Scott, "Non-Blocking Timeout in Scalable Queue-Based Spin Locks", PODC
// 2002, p. 31-40. Written after an outline of the author's program, and not after the program
// itself.
//
// Registers: tail, the last record of the queue or nil, changed by all. Each record has prev,
// the record before it, which a process that gives up writes, and a process that goes past it
// clears. It has next: nil; the record behind; available, if its process has left; leaving, if
// its process has given up; or transient, if its process has given up while its predecessor
// still holds the name of the record. Its process and the processes behind change next. It has
// status: free; waiting; a copy, for its process, of next of the record before; or recycled,
// which tells the process before that it must return the record. All three change status.
//
// Properties: a process and the one behind it meet at next of the first. Each changes it by
// one swap, so the second of the two swaps finds the value of the first. So one of the two
// processes learns that the lock is free, or that the first has given up. If the first has
// given up, the second goes on to the record before. Two processes know the name of a
// transient record: the process that was before it, and the process behind. Whichever comes
// second to its status returns it. First-come-first-served in the order of line 3, so the
// bypass is n-1 and no process starves. Giving up and leaving take a bounded number of steps.
//
// The doorway is lines 1 to 3: one of two records is free, unless both are about to be.
//
//	timed entry section of process i, which has two records:
//	1  I := a record of i with I.status = free, O := the other one; if neither is, goto 1, or fail if time is out
//	2  I.status := waiting
//	3  pred := swap(tail, I)
//	4  if pred = nil then enter
//	5  r := swap(pred.next, I)
//	6  if r = nil then
//	7      wait until r := I.status is not waiting, or until time is out while O.status = free
//	8      I.status := waiting
//	9  p := nil; if r is not available then p := pred.prev; pred.prev := nil
//	10 unless r = transient and swap(pred.status, recycled) is waiting, give pred back
//	11 pred := p; goto 4
//	out of time:
//	12 I.prev := pred
//	13 if compare-and-swap(pred.next, I, nil) succeeds then x := leaving, else x := transient
//	14 quit with x and pred; fail
//	exit section:
//	15 quit with available and nil
//	quit with x and p:
//	16 s := swap(I.next, x)
//	17 if s is a record then if swap(s.status, x) = recycled then give s back
//	18 else if x is not transient then if compare-and-swap(tail, I, p) succeeds then I.prev := nil; give I back
//	give r back:
//	19 r.next := nil
//	20 r.status := free
//
// Released stores: lines 2, 8 and 12, which lines 3, 5 or 16, and 13 take to memory before any
// process can reach the record; lines 9, 18 and 19, which are visible before line 20.
//
// Deviations: the paper takes as many records as it needs from an allocator. Here each process
// has two, and gives up only while the other one is free (line 7). With one record left it
// might find none when it returns, if the process behind its last record has given up too and
// stays away. The bit allocated is the value free of status. A record is cleared when it is
// returned, and not when it is taken. A process is asked whether it gives up only while it
// polls its status, and on line 1. With passages in all modes the checker explores two
// processes by default. Three have 9,741,118 states, in which exclusion, deadlock freedom,
// starvation freedom and the bounded abort hold.
type MCSNBMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	tail     atomic.Uint32 // no process, or the name of a record
	_        shm.Pad
	record   [records]shm.Array[mcsNBRecord] // record[k][i] is the k-th of process i
	private  shm.Array[mcsNBPrivate]         // private[i] is used by process i only
}

type mcsNBRecord struct{ prev, next, status register.Uint32 }

type mcsNBPrivate struct{ I uint32 }

// The values of next and status, besides the names of records.
const (
	nbFree      = 0 // status
	nbAvailable = 1
	nbLeaving   = 2 // leaving
	nbTransient = 3
	nbWaiting   = 4 // status
	nbRecycled  = 5 // status
	firstNB     = 4 // the name of the first record
)

// NewMCSNB returns an MCS lock with non-blocking timeout for n processes, or a
// *shm.ProcsError.
func NewMCSNB(n int, layout shm.Layout, stores shm.Stores) (*MCSNBMutex, error) {
	return shm.New[*MCSNBMutex](MCSNB(layout, stores), n)
}

func buildMCSNB(b shm.Build) shm.Mutex {
	l := &MCSNBMutex{released: b.Released, private: shm.NewArray[mcsNBPrivate](b.N, shm.Padded)}
	for k := range l.record {
		l.record[k] = shm.NewArray[mcsNBRecord](b.N, b.Layout)
	}
	return l
}

// of returns the record with a name.
func (l *MCSNBMutex) of(name uint32) *mcsNBRecord {
	return l.record[name%records].At(int(name-firstNB) / records)
}

// Lock acquires the lock for process i.
func (l *MCSNBMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i, or gives up after giveUp returns true.
func (l *MCSNBMutex) LockUntil(i int, giveUp func() bool) bool {
	I := uint32(firstNB + records*i)
	for l.of(I).status.Load() != nbFree { // 1
		if I ^= 1; I&1 == 0 {
			if giveUp() {
				return false // 1
			}
			spin.Pause()
		}
	}
	node, other := l.of(I), l.of(I^1)
	node.status.StoreReleaseIf(l.released, nbWaiting) // 2
	pred := l.tail.Swap(I)                            // 3
	for pred != nobody {                              // 4
		ahead := l.of(pred)
		r := ahead.next.Swap(I) // 5
		if r == nobody {        // 6
			r = node.status.Load() // 7
			for r == nbWaiting {
				if other.status.Load() == nbFree && giveUp() { // 7
					l.leave(node, I, pred)
					return false
				}
				spin.Pause()
				r = node.status.Load() // 7
			}
			node.status.StoreReleaseIf(l.released, nbWaiting) // 8
		}
		before := uint32(nobody)
		if r != nbAvailable {
			before = ahead.prev.Load()                    // 9
			ahead.prev.StoreReleaseIf(l.released, nobody) // 9
		}
		if r != nbTransient || ahead.status.Swap(nbRecycled) != nbWaiting { // 10
			l.giveBack(ahead)
		}
		pred = before // 11
	}
	l.private.At(i).I = I
	return true
}

// leave is lines 12 to 14.
func (l *MCSNBMutex) leave(node *mcsNBRecord, I, pred uint32) {
	node.prev.StoreReleaseIf(l.released, pred) // 12
	x := uint32(nbTransient)
	if l.of(pred).next.CompareAndSwap(I, nobody) { // 13
		x = nbLeaving
	}
	l.quit(node, I, x, pred) // 14
}

// quit is lines 16 to 18.
func (l *MCSNBMutex) quit(node *mcsNBRecord, I, x, p uint32) {
	if s := node.next.Swap(x); s != nobody { // 16
		if succ := l.of(s); succ.status.Swap(x) == nbRecycled { // 17
			l.giveBack(succ)
		}
	} else if x != nbTransient && l.tail.CompareAndSwap(I, p) { // 18
		node.prev.StoreReleaseIf(l.released, nobody) // 18
		l.giveBack(node)
	}
}

// giveBack is lines 19 and 20.
func (l *MCSNBMutex) giveBack(r *mcsNBRecord) {
	r.next.StoreReleaseIf(l.released, nobody) // 19
	r.status.Store(nbFree)                    // 20
}

// Unlock releases the lock for process i.
func (l *MCSNBMutex) Unlock(i int) {
	I := l.private.At(i).I
	l.quit(l.of(I), I, nbAvailable, nobody) // 15
}
