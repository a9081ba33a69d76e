package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// CLHNBMutex is the CLH lock in which a process that gives up waits for no other process. It
// leaves behind a record that names the record before it. The process that finds this record
// returns it to its owner.
//
// Source: Michael L. Scott, "Non-Blocking Timeout in Scalable Queue-Based Spin Locks", PODC
// 2002, p. 31-40. Written after a restatement of the program in its appendix.
//
// Registers: tail, the last record of the queue or nil, changed by all. Each record has prev,
// which its owner writes: nil; available, when the owner has left; or the record before it,
// when the owner has given up. It also has allocated, a bit that the owner sets, and that the
// last process to use the record clears: the owner, or the process behind it.
//
// Properties: as long as no process gives up, those of CLH: first-come-first-served in the
// order of line 4. Giving up takes two steps (line 9), whatever other processes do, and so
// does leaving. The records that stay in the queue are removed by the process behind, which
// goes on from each to the record before it (line 8). While processes arrive and give up again
// and again, the queue may grow. The paper bounds neither its length nor the number of
// records. Here a process has two records, and gives up only while the other one is not
// allocated (line 6). So it finds a record at once when it returns. If it enters instead,
// every record before its own has been returned. With several processes, each polls a register
// that another one writes, so that local spinning needs caches.
//
// The doorway is lines 1 to 4: one of the two records is not allocated.
//
//	timed entry section of process i, which has two records:
//	1  I := a record of i that is not allocated, O := the other one
//	2  I.allocated := true
//	3  I.prev := nil
//	4  pred := swap(tail, I)
//	5  if pred = nil then enter
//	6  wait until p := pred.prev is not nil, or until time is out while O is not allocated
//	7  if p = available then p := nil
//	8  pred.allocated := false; pred := p; goto 5
//	out of time:
//	9  if compare-and-swap(tail, I, pred) succeeds then I.allocated := false, else I.prev := pred; fail
//	exit section:
//	10 if compare-and-swap(tail, I, nil) succeeds then I.allocated := false, and return
//	11 I.prev := available
//
// Released stores: lines 2 and 3, which line 4 takes to memory, after the swap of tail line 9
// or line 11; the one behind waits longer if it sees these late. To clear allocated late
// would keep a process from its record, and from its place.
//
// Deviations: the number of records is fixed, and a process with one record left waits on line
// 6. The paper takes as many records as it needs from an allocator. The process keeps the
// record of the holder, where the paper has a register lock_holder. With passages in all modes
// the checker explores two processes by default. Three processes have too many states.
type CLHNBMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	tail     atomic.Uint32 // no process, or the name of a record
	_        shm.Pad
	record   shm.Array[clhNBRecord]
	private  shm.Array[clhNBPrivate] // private[i] is used by process i only
}

type clhNBRecord struct {
	prev      register.Uint32 // no process, or left, or the name of a record
	allocated register.Bool
}

type clhNBPrivate struct{ I uint32 }

const (
	records     = 2 // of each process
	left        = 1
	firstRecord = 2 // its name
)

// NewCLHNB returns a CLH lock with non-blocking timeout for n processes, or a
// *shm.ProcsError.
func NewCLHNB(n int, layout shm.Layout, stores shm.Stores) (*CLHNBMutex, error) {
	return shm.New[*CLHNBMutex](CLHNB(layout, stores), n)
}

func buildCLHNB(b shm.Build) shm.Mutex {
	return &CLHNBMutex{
		released: b.Released,
		record:   shm.NewArray[clhNBRecord](records*b.N, b.Layout),
		private:  shm.NewArray[clhNBPrivate](b.N, shm.Padded),
	}
}

// of returns the record with a number.
func (l *CLHNBMutex) of(name uint32) *clhNBRecord { return l.record.At(int(name - firstRecord)) }

// Lock acquires the lock for process i.
func (l *CLHNBMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i, or gives up after giveUp returns true.
func (l *CLHNBMutex) LockUntil(i int, giveUp func() bool) bool {
	at := records * i // 1
	if l.record.At(at).allocated.Load() {
		at++ // 1
	}
	I, r, other := uint32(firstRecord+at), l.record.At(at), l.record.At(at^1)
	r.allocated.StoreReleaseIf(l.released, true) // 2
	r.prev.StoreReleaseIf(l.released, nobody)    // 3
	pred := l.tail.Swap(I)                       // 4
	for pred != nobody {                         // 5
		p := l.of(pred).prev.Load() // 6
		if p == nobody {
			if !other.allocated.Load() && giveUp() { // 6
				l.leave(r, I, pred)
				return false
			}
			spin.Pause()
			continue
		}
		if p == left {
			p = nobody // 7
		}
		l.free(l.of(pred)) // 8
		pred = p
	}
	l.private.At(i).I = I
	return true
}

// leave is line 9.
func (l *CLHNBMutex) leave(r *clhNBRecord, I, pred uint32) {
	if l.tail.CompareAndSwap(I, pred) { // 9
		l.free(r)
	} else {
		r.prev.StoreReleaseIf(l.released, pred) // 9
	}
}

// free returns a record.
func (l *CLHNBMutex) free(r *clhNBRecord) {
	r.allocated.Store(false) // 8, 9, 10
}

// Unlock releases the lock for process i.
func (l *CLHNBMutex) Unlock(i int) {
	I := l.private.At(i).I
	if l.tail.CompareAndSwap(I, nobody) { // 10
		l.free(l.of(I))
	} else {
		l.of(I).prev.StoreReleaseIf(l.released, left) // 11
	}
}
