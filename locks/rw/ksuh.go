package rw

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// KSUH returns the specification of the lock of Krieger, Stumm, Unrau and Hanna, with a fix,
// in the given layout.
func KSUH(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:  "rw/ksuh",
		Title: "Fair reader-writer lock of Krieger, Stumm, Unrau and Hanna, fixed",
		Source: shm.Source{
			Author: "Orran Krieger, Michael Stumm, Ron Unrau and Jonathan Hanna",
			Title:  "A Fair Fast Scalable Reader-Writer Lock",
			Venue:  "International Conference on Parallel Processing, volume II",
			Year:   1993,
			Page:   "201-204",
		},
		Reconstructed: true,
		Class:         shm.TestAndSet | shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Mixed: shm.Mixed{
				Writers: shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"},
				Readers: shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "9"},
			},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "kind", Count: shm.N, Values: shm.Const(3), Own: true, SingleWriter: true},
			{Name: "waiting", Count: shm.N, Values: shm.Const(2), Own: true},
			{Name: "next", Count: shm.N, Values: shm.N, Own: true},
			{Name: "prev", Count: shm.N, Values: shm.N, Own: true},
			{Name: "locked", Count: shm.N, Values: shm.Const(2), Own: true},
		},
	}.Built(layout, shm.Sequential, buildKSUH)
}

// KSUHMutex is a fair queue of readers and writers, in which each process waits for a word
// of its own. The readers of the queue are linked in both directions: a reader can leave
// before the readers in front of it.
//
// Source: Orran Krieger, Michael Stumm, Ron Unrau and Jonathan Hanna, "A Fair Fast Scalable
// Reader-Writer Lock", ICPP 1993, volume II, p. 201-204. Reconstructed from
// include/util/mcs_rwlock.h of github.com/sunriseL/shore-kits at commit 8f6d205c. That
// program has an error, which the known-broken ksuh-shore shows and line 18 fixes.
//
// Registers: tail, the last record of the queue; for each process a record with kind,
// written by its owner: a reader, a writer, or a reader in its critical section; waiting,
// set by its owner and cleared by the process in front; next and prev, the records behind
// and in front, written by the owner and its neighbors; locked, which a process acquires
// that takes the record, or the one behind, out of the queue.
//
// Properties: mutual exclusion, because a writer enters at the head of the queue only. A
// reader enters at the head, or behind a reader that is in its critical section. A reader
// that is let in lets in the reader behind it. A reader leaves the queue while it has
// locked its own record and the one in front. So no neighbor leaves at the same time. The
// reader locks the record behind while it tells its owner that it is the first: without
// this lock the owner can come back with the record before the second of these stores.
// Processes enter in the order of lines 2 and 9, except that readers with no writer between
// them are in their critical sections together.
//
// A writer's doorway is lines 1 and 2, a reader's is lines 8 and 9.
//
//	entry section of writer i:
//	1  kind[i] := writer; waiting[i] := true; next[i] := nil
//	2  p := swap(tail, i)
//	3  if p is not nil then
//	4      next[p] := i; wait until not waiting[i]
//	exit section of writer i:
//	5  s := next[i]; if s = nil then if compare-and-swap(tail, i, nil) succeeds then return
//	6  wait until s := next[i] is not nil
//	7  prev[s] := nil; waiting[s] := false
//	entry section of reader i:
//	8  kind[i] := reader; waiting[i] := true; next[i] := nil; prev[i] := nil
//	9  p := swap(tail, i)
//	10 if p is not nil then
//	11     prev[i] := p; next[p] := i; if kind[p] is not active then wait until not waiting[i]
//	12 s := next[i]; if s is not nil then if kind[s] = reader then waiting[s] := false
//	13 kind[i] := active
//	exit section of reader i:
//	14 p := prev[i]; if p is not nil then lock p; if prev[i] is not p then unlock p, goto 14
//	15 lock i; if p is not nil then next[p] := nil
//	16 s := next[i]; if s = nil then unless compare-and-swap(tail, i, p) succeeds, wait until s := next[i] is not nil
//	17 if p is not nil then if s is not nil then prev[s] := p; next[p] := s
//	18 if p = nil then if s is not nil then lock s; prev[s] := nil; waiting[s] := false; unlock s
//	19 if p is not nil then unlock p
//	   unlock i
//
// Deviations: the program's line 18 does not lock s, and clears waiting first. The record is
// the process's own, and a number stands for its pointer. The program reads kind[p] before it
// links the record on line 11.
type KSUHMutex struct {
	_      shm.NoCopy
	_      shm.Pad
	tail   register.Uint32 // none, or i+1 for the record of process i
	_      shm.Pad
	record shm.Array[ksuhRecord]
}

type ksuhRecord struct {
	next, prev register.Uint32 // as tail
	kind       register.Uint32
	waiting    register.Bool
	locked     register.Bool
}

// The kinds of a record.
const (
	ksuhReader = iota
	ksuhWriter
	ksuhActive
)

// NewKSUH returns the lock for n processes, or a *shm.ProcsError.
func NewKSUH(n int, layout shm.Layout) (*KSUHMutex, error) {
	return shm.New[*KSUHMutex](KSUH(layout), n)
}

func buildKSUH(b shm.Build) shm.Mutex {
	return &KSUHMutex{record: shm.NewArray[ksuhRecord](b.N, b.Layout)}
}

// of returns the record of a number.
func (l *KSUHMutex) of(number uint32) *ksuhRecord { return l.record.At(int(number - 1)) }

func (r *ksuhRecord) lock() {
	for r.locked.Swap(true) { // 14, 15, 18
		spin.Pause()
	}
}

func (r *ksuhRecord) unlock() { r.locked.Store(false) } // 14, 18, 19

// Lock acquires the lock for process i as a writer.
func (l *KSUHMutex) Lock(i int) {
	I, r := uint32(i+1), l.record.At(i)
	r.kind.Store(ksuhWriter) // 1
	r.waiting.Store(true)    // 1
	r.next.Store(none)       // 1
	p := l.tail.Swap(I)      // 2
	if p != none {           // 3
		l.of(p).next.Store(I)                                // 4
		spin.Until(func() bool { return !r.waiting.Load() }) // 4
	}
}

// Unlock releases the lock for writer i.
func (l *KSUHMutex) Unlock(i int) {
	r := l.record.At(i)
	if r.next.Load() == none && l.tail.CompareAndSwap(uint32(i+1), none) { // 5
		return
	}
	s := l.of(r.behind())
	s.prev.Store(none)     // 7
	s.waiting.Store(false) // 7
}

// behind waits until the record behind is linked, and returns its number.
func (r *ksuhRecord) behind() uint32 {
	s := uint32(none)
	spin.Until(func() bool { s = r.next.Load(); return s != none }) // 6, 16
	return s
}

// RLock acquires the lock for process i as a reader.
func (l *KSUHMutex) RLock(i int) {
	I, r := uint32(i+1), l.record.At(i)
	r.kind.Store(ksuhReader) // 8
	r.waiting.Store(true)    // 8
	r.next.Store(none)       // 8
	r.prev.Store(none)       // 8
	p := l.tail.Swap(I)      // 9
	if p != none {           // 10
		r.prev.Store(p)                        // 11
		l.of(p).next.Store(I)                  // 11
		if l.of(p).kind.Load() != ksuhActive { // 11
			spin.Until(func() bool { return !r.waiting.Load() }) // 11
		}
	}
	if s := r.next.Load(); s != none && l.of(s).kind.Load() == ksuhReader { // 12
		l.of(s).waiting.Store(false) // 12
	}
	r.kind.Store(ksuhActive) // 13
}

// RUnlock releases the lock for reader i.
func (l *KSUHMutex) RUnlock(i int) {
	r := l.record.At(i)
	p := l.lockFront(r)
	r.lock() // 15
	if p != none {
		l.of(p).next.Store(none) // 15
	}
	s := r.next.Load()                                       // 16
	if s == none && !l.tail.CompareAndSwap(uint32(i+1), p) { // 16
		s = r.behind()
	}
	if s != none && p != none {
		l.of(s).prev.Store(p) // 17
		l.of(p).next.Store(s) // 17
	}
	if s != none && p == none {
		l.makeFirst(l.of(s))
	}
	if p != none {
		l.of(p).unlock()
	}
	r.unlock()
}

// lockFront locks the record in front of a reader's, and returns its number, or none.
func (l *KSUHMutex) lockFront(r *ksuhRecord) uint32 {
	for ; ; spin.Pause() {
		p := r.prev.Load() // 14
		if p == none {
			return none
		}
		l.of(p).lock()
		if r.prev.Load() == p { // 14
			return p
		}
		l.of(p).unlock()
	}
}

// makeFirst tells the owner of a record that it is the first.
func (l *KSUHMutex) makeFirst(s *ksuhRecord) {
	s.lock()
	s.prev.Store(none)     // 18
	s.waiting.Store(false) // 18
	s.unlock()
}
