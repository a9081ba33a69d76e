package fcfs

import (
	"shmbench/locks/burns"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
	"shmbench/tas"
)

var hesselink24 = shm.Source{
	Author: "Wim H. Hesselink",
	Title:  "FCFS_WH24.h",
	Venue:  "github.com/pabuhr/concurrent-locking",
	Year:   2024,
}

// Hesselink24 returns the specification of Hesselink24Mutex over Burns and Lynch's lock for a
// layout of its registers and for its stores.
func Hesselink24(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := specHesselink24("fcfs/hesselink24", burns.BurnsLynch(layout, stores), layout, stores)
	a.Title = "Hesselink's small registers over Burns and Lynch's lock"
	a.Claims.Weakest = shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic}
	return a
}

// Hesselink24TAS returns the specification of Hesselink24Mutex over test-and-set, which by
// itself is not starvation-free and has unbounded remote references.
func Hesselink24TAS(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := specHesselink24("fcfs/hesselink24tas", tas.TAS(stores), layout, stores)
	a.Title = "Hesselink's small registers over test-and-set"
	a.Claims.LocalSpin = shm.LocalSpin{}
	return a
}

func specHesselink24(name string, inner shm.Algorithm, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return over(inner, shm.Algorithm{
		Name:   name,
		Source: hesselink24,
		Claims: served("3", shm.Weakest{}),
		Space: shm.Space{
			{Name: "turn", Count: shm.N, Values: shm.Const(7), SingleWriter: true},
		},
	}, layout, stores, buildHesselink24)
}

// Hesselink24Mutex is a wrapper with one register for each process, which is odd while the
// process waits to enter. An arriving process waits until the registers that it saw odd have
// changed.
//
// Source: FCFS_WH24.h of github.com/pabuhr/concurrent-locking, whose name says Wim H.
// Hesselink, 2024; it names no paper.
//
// Registers: turn[i], -1 to 5, written by process i and read by the others; and
// those of the inner lock. It is even while the process does not wait, and -1, which
// counts as odd, while it is in its doorway.
//
// Properties: first-come-first-served, because a process that arrives after process i has
// ended its doorway copies an odd turn. Process i keeps this turn until it is in the inner
// lock. No deadlock outside the inner lock: once process k has copied an odd turn[i], process
// i begins at most two passages before one of them waits on line 4 for k. For the first,
// turn[k] is -1, and for the second, turn[k] has its next value. With three odd turns, these
// two passages do not take the first one again. So no process starves, and mutual exclusion
// is that of the inner lock. This needs atomic registers: on regular ones a reader may see
// the end of a doorway, and then its beginning again.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i:
//	1  nx := turn[i] + 1; turn[i] := -1
//	2  for each k but i: copy[k] := turn[k]
//	3  turn[i] := nx
//	4  for each k but i with copy[k] odd: wait until turn[k] ≠ copy[k]
//	5  enter the inner lock
//	6  turn[i] := (nx + 1) mod 6
//	exit section:
//	7  leave the inner lock
//
// Released stores: line 6: if others see it late, they only wait longer, and it is in memory
// before the process leaves the inner lock. Line 3 keeps its fence, which the C program omits:
// until turn[i] is in memory, the next process that arrives need not wait for i.
//
// Deviations: process i keeps a copy of turn[i], and does not read it back.
type Hesselink24Mutex struct {
	_        shm.NoCopy
	released bool
	n        int
	turn     shm.Array[register.Int32]
	private  shm.Array[hesselink24Private] // private[i] is used by process i only
	copied   []shm.Array[int32]            // and so is copied[i]
	inner    shm.Mutex
}

type hesselink24Private struct{ turn int32 }

// NewHesselink24 returns the wrapper for n processes over the lock that inner builds.
// It returns inner's error, or a *shm.ProcsError.
func NewHesselink24(n int, layout shm.Layout, stores shm.Stores, inner func(n int) (shm.Mutex, error)) (*Hesselink24Mutex, error) {
	return newOver[*Hesselink24Mutex]("fcfs/hesselink24", n, layout, stores, inner, buildHesselink24)
}

func buildHesselink24(b shm.Build, inner shm.Mutex) shm.Mutex {
	return &Hesselink24Mutex{
		released: b.Released,
		n:        b.N,
		turn:     shm.NewArray[register.Int32](b.N, b.Layout),
		private:  shm.NewArray[hesselink24Private](b.N, shm.Padded),
		copied:   private[int32](b.N),
		inner:    inner,
	}
}

// Lock acquires the lock for process i.
func (l *Hesselink24Mutex) Lock(i int) {
	p, copied, mine, saw := l.private.At(i), &l.copied[i], l.turn.At(i), false
	nx, leaves := p.turn+1, p.turn+2 // 1, 6
	if leaves == 6 {
		leaves = 0
	}
	mine.Store(-1) // 1
	for k := range l.n {
		if k != i {
			turn := l.turn.At(k).Load() // 2
			*copied.At(k) = turn
			saw = saw || turn&1 != 0
		}
	}
	mine.Store(nx) // 3
	if saw {
		l.awaitAll(i) // 4
	}
	l.inner.Lock(i) // 5
	p.turn = leaves
	mine.StoreReleaseIf(l.released, leaves) // 6
}

// awaitAll is line 4.
func (l *Hesselink24Mutex) awaitAll(i int) {
	for k := range l.n {
		if turn := *l.copied[i].At(k); k != i && turn&1 != 0 {
			spin.Until(func() bool { return l.turn.At(k).Load() != turn }) // 4
		}
	}
}

// Unlock releases the lock for process i.
func (l *Hesselink24Mutex) Unlock(i int) {
	l.inner.Unlock(i) // 7
}
