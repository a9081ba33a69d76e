package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// ksuhShore is the lock of Krieger, Stumm, Unrau and Hanna as a database's source has it. A
// reader that leaves the head of the queue lets in the writer behind it, and then clears the
// writer's prev. In between, the writer can leave and return as a reader behind another
// reader. The late store clears the prev of its second passage, so that it leaves as if it
// were the head. The queue is empty then, and a writer enters beside the other reader.
var ksuhShore = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/ksuh-shore",
		Title: "The lock of Krieger, Stumm, Unrau and Hanna in a database",
		Source: shm.Source{
			Author: "the authors of shore-kits",
			Title:  "include/util/mcs_rwlock.h",
			Venue:  "shore-kits, commit 8f6d205c",
			Year:   2008,
		},
		Class:  shm.TestAndSet | shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "never", Count: shm.Const(1), Values: shm.Const(1)},
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "kind", Count: shm.N, Values: shm.UpTo(2, shm.Const(2), shm.Const(3))},
			{Name: "waiting", Count: shm.N, Values: shm.Const(2)},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "prev", Count: shm.N, Values: shm.N},
			{Name: "locked", Count: shm.N, Values: shm.Const(2)},
		},
	},
	Read:     "github.com/sunriseL/shore-kits, include/util/mcs_rwlock.h at 8f6d205cf0a61e31a377676207180ed8352880dc",
	Claimed:  "that readers are in their critical sections together, and a writer alone",
	Property: exclusion,
	Verdict:  "a reader that leaves clears the link of a process after it has let this process in, which has come back meanwhile.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    52,
	Fix:      "the reader locks the record behind, clears the link, and only then lets its owner in",
	Fixed:    "rw/ksuh",
}, func(n int) shm.Mutex {
	return &ksuhShoreMutex{read: make([]bool, n), record: make([]ksuhShoreRecord, n)}
})

// ksuhShoreMutex is the lock. The program in C++ passes the record as an argument.
//
//	entry section of writer i:
//	1  kind[i] := writer; waiting[i] := true; next[i] := nil
//	2  p := swap(tail, i)
//	3  if p is not nil then next[p] := i; wait until not waiting[i]
//	exit section of writer i:
//	4  s := next[i]; if s = nil then if compare-and-swap(tail, i, nil) succeeds then return
//	5  wait until s := next[i] is not nil
//	6  prev[s] := nil; waiting[s] := false
//	entry section of reader i:
//	7  kind[i] := reader; waiting[i] := true; next[i] := nil; prev[i] := nil
//	8  p := swap(tail, i)
//	9  if p is not nil then prev[i] := p; k := kind[p]; next[p] := i; if k is not active then wait until not waiting[i]
//	10 if next[i] is not nil then if kind[next[i]] = reader then waiting[next[i]] := false
//	11 kind[i] := active
//	exit section of reader i:
//	12 p := prev[i]; if p is not nil then lock p; if prev[i] is not p then unlock p, goto 12
//	13 lock i; if p is not nil then next[p] := nil
//	14 s := next[i]; if s = nil then unless compare-and-swap(tail, i, p) succeeds, wait until s := next[i] is not nil
//	15 if p is not nil then if s is not nil then prev[s] := p; next[p] := s
//	16 if p is not nil then unlock p
//	17 if p = nil then if s is not nil then waiting[s] := false; prev[s] := nil
//	18 unlock i
type ksuhShoreMutex struct {
	never  atomic.Bool   // no process sets it
	read   []bool        // whether a process has read, of its own
	tail   atomic.Uint32 // 0, or i+1 for the record of process i
	record []ksuhShoreRecord
}

type ksuhShoreRecord struct {
	next, prev, kind atomic.Uint32
	waiting, locked  atomic.Bool
}

const (
	ksuhShoreReader = iota
	ksuhShoreWriter
	ksuhShoreActive
)

func (l *ksuhShoreMutex) of(number uint32) *ksuhShoreRecord { return &l.record[number-1] }

func (r *ksuhShoreRecord) lock() {
	for r.locked.Swap(true) { // 12, 13
		spin.Pause()
	}
}

func (r *ksuhShoreRecord) unlock() { r.locked.Store(false) } // 12, 16, 18

func (l *ksuhShoreMutex) Lock(i int) {
	l.once(i, true)
	I, r := uint32(i+1), &l.record[i]
	r.kind.Store(ksuhShoreWriter)    // 1
	r.waiting.Store(true)            // 1
	r.next.Store(0)                  // 1
	if p := l.tail.Swap(I); p != 0 { // 2
		l.of(p).next.Store(I)                                // 3
		spin.Until(func() bool { return !r.waiting.Load() }) // 3
	}
}

func (l *ksuhShoreMutex) Unlock(i int) {
	s := l.leave(i, 0)
	if s == 0 {
		return
	}
	l.of(s).prev.Store(0)        // 6
	l.of(s).waiting.Store(false) // 6
}

// leave is lines 4 and 5, and line 14. It returns the record behind, or 0 if p is the last
// one now.
func (l *ksuhShoreMutex) leave(i int, p uint32) uint32 {
	r := &l.record[i]
	s := r.next.Load()                                   // 4, 14
	if s == 0 && l.tail.CompareAndSwap(uint32(i+1), p) { // 4, 14
		return 0
	}
	spin.Until(func() bool { s = r.next.Load(); return s != 0 }) // 5, 14
	return s
}

// once stops processes 0 and 1 forever, unless it is called for the first passage, of a
// reader.
func (l *ksuhShoreMutex) once(i int, writes bool) {
	if i < 2 && (writes || l.read[i]) {
		spin.Until(func() bool { return l.never.Load() })
	}
	l.read[i] = i < 2
}

func (l *ksuhShoreMutex) RLock(i int) {
	l.once(i, false)
	I, r := uint32(i+1), &l.record[i]
	r.kind.Store(ksuhShoreReader)    // 7
	r.waiting.Store(true)            // 7
	r.next.Store(0)                  // 7
	r.prev.Store(0)                  // 7
	if p := l.tail.Swap(I); p != 0 { // 8
		r.prev.Store(p)          // 9
		k := l.of(p).kind.Load() // 9
		l.of(p).next.Store(I)    // 9
		if k != ksuhShoreActive {
			spin.Until(func() bool { return !r.waiting.Load() }) // 9
		}
	}
	if r.next.Load() != 0 && l.of(r.next.Load()).kind.Load() == ksuhShoreReader { // 10
		l.of(r.next.Load()).waiting.Store(false) // 10
	}
	r.kind.Store(ksuhShoreActive) // 11
}

func (l *ksuhShoreMutex) RUnlock(i int) {
	r := &l.record[i]
	p := l.lockFront(r)
	r.lock()
	if p == 0 {
		if s := l.leave(i, 0); s != 0 {
			l.of(s).waiting.Store(false) // 17
			l.of(s).prev.Store(0)        // 17
		}
		r.unlock()
		return
	}
	l.of(p).next.Store(0) // 13
	if s := l.leave(i, p); s != 0 {
		l.of(s).prev.Store(p) // 15
		l.of(p).next.Store(s) // 15
	}
	l.of(p).unlock()
	r.unlock()
}

// lockFront is line 12. It returns the record that it has locked, or 0.
func (l *ksuhShoreMutex) lockFront(r *ksuhShoreRecord) uint32 {
	p := r.prev.Load() // 12
	for ; p != 0; spin.Pause() {
		l.of(p).lock()
		if r.prev.Load() == p { // 12
			break
		}
		l.of(p).unlock()
		p = r.prev.Load() // 12
	}
	return p
}
