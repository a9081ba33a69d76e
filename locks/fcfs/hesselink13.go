package fcfs

import (
	"shmbench/locks/burns"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var hesselink13 = shm.Source{
	Author: "Wim H. Hesselink",
	Title:  "Verifying a simplification of mutual exclusion by Lycklama-Hadzilacos",
	Venue:  "Acta Informatica 50(3)",
	Year:   2013,
	Page:   "199-228",
}

// Hesselink13 returns the specification of Hesselink's simplification of Lycklama and
// Hadzilacos's lock over the one-bit lock, as published, in the given layout. It has no
// variant with release stores: for three processes that variant has too many states to be
// checked with the others.
func Hesselink13(layout shm.Layout) shm.Algorithm {
	return over(burns.OneBit(layout, shm.Sequential), shm.Algorithm{
		Name:   "fcfs/hesselink13",
		Title:  "Hesselink's simplification of Lycklama and Hadzilacos's lock",
		Source: hesselink13,
		Claims: served("4", shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe}),
		Space: shm.Space{
			{Name: "turn", Count: times(3, "3n"), Values: shm.Const(2), SingleWriter: true},
		},
	}, layout, shm.Sequential, buildHesselink13)
}

// Hesselink13Mutex is Lycklama and Hadzilacos's lock with four bits a process: a
// process shows one of three bits from its doorway until it has left, and the inner
// lock's bit tells of its doorway too.
//
// Source: Wim H. Hesselink, "Verifying a simplification of mutual exclusion by
// Lycklama-Hadzilacos", Acta Informatica 50(3), 2013, p. 199-228, figure 4. The inner
// lock is the one-bit lock, burns.OneBit, as in Hesselink.c of
// github.com/pabuhr/concurrent-locking.
//
// Registers: turn[i], three bits, and x[i], a bit, the paper's cp[i], written by
// process i and read by the others; x is the bit of the inner lock.
//
// Properties: mutual exclusion is that of the inner lock, for which a bit that is set in the
// doorway is a bit that is soon cleared. First-come-first-served, because a process that
// arrives after process i has ended its doorway copies the bit that i shows until it has left.
// Deadlock-free, because once process q has copied a bit of i, process i begins at most two
// passages before one of them waits for q: the inner lock does not let the first in while x[q]
// is set in the doorway, and the second waits on line 5. With three bits, these two passages
// do not show the first bit again. Each bit has one writer, which writes it only to change it,
// so that safe registers are enough.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i:
//	1  x[i] := true
//	2  for each q but i, each b: copy[q][b] := turn[q][b]
//	3  turn[i][nx] := true
//	4  x[i] := false
//	5  for each q, b with copy[q][b]: wait until not turn[q][b]
//	6  enter the inner lock
//	exit section:
//	7  leave the inner lock
//	8  turn[i][nx] := false; nx := (nx + 1) mod 3
//
// Released stores: none, because they were not checked; see Hesselink13.
//
// Deviations: none. The suite's header FCFS_WH13_BL.h has the paper's figure 2, over
// Burns and Lynch's lock, whose entry section clears the bit once more.
type Hesselink13Mutex struct {
	_       shm.NoCopy
	n       int
	turn    shm.Array[[3]register.Bool]
	private shm.Array[hesselink13Private] // private[i] is used by process i only
	copied  []shm.Array[[3]bool]          // and so is copied[i]
	inner   flagged
}

type hesselink13Private struct{ nx int }

// NewHesselink13 returns the lock for n processes, or a *shm.ProcsError.
func NewHesselink13(n int, layout shm.Layout) (*Hesselink13Mutex, error) {
	return shm.New[*Hesselink13Mutex](Hesselink13(layout), n)
}

func buildHesselink13(b shm.Build, inner shm.Mutex) shm.Mutex {
	return &Hesselink13Mutex{
		n:       b.N,
		turn:    shm.NewArray[[3]register.Bool](b.N, b.Layout),
		private: shm.NewArray[hesselink13Private](b.N, shm.Padded),
		copied:  private[[3]bool](b.N),
		inner:   inner.(flagged),
	}
}

// Lock acquires the lock for process i.
func (l *Hesselink13Mutex) Lock(i int) {
	copied := &l.copied[i]
	l.inner.Flag(i).Store(true) // 1
	for q := range l.n {
		if q != i {
			turn := l.turn.At(q)
			*copied.At(q) = [3]bool{turn[0].Load(), turn[1].Load(), turn[2].Load()} // 2
		}
	}
	l.turn.At(i)[l.private.At(i).nx].Store(true) // 3
	l.inner.Flag(i).Store(false)                 // 4
	for q := range l.n {
		if q == i {
			continue
		}
		turn := l.turn.At(q)
		for b, shown := range *copied.At(q) {
			if shown {
				spin.Until(func() bool { return !turn[b].Load() }) // 5
			}
		}
	}
	l.inner.Lock(i) // 6
}

// Unlock releases the lock for process i.
func (l *Hesselink13Mutex) Unlock(i int) {
	l.inner.Unlock(i) // 7
	p := l.private.At(i)
	l.turn.At(i)[p.nx].Store(false) // 8
	p.nx = (p.nx + 1) % 3           // 8
}
