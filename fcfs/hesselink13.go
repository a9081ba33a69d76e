package fcfs

import (
	"shmbench/burns"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var hesselink13 = shm.Source{
	Author: "Wim H. Hesselink",
	Title:  "Verifying a simplification of mutual exclusion by Lycklama-Hadzilacos",
	Venue:  "Acta Informatica 50(3)",
	Year:   2013,
	Page:   "199-228",
}

// Hesselink13 is the card of Hesselink's simplification of Lycklama and Hadzilacos's
// lock, its registers laid out as told. It has no released form: for three processes
// that has too many states to be checked with the others.
func Hesselink13(layout shm.Layout) shm.Algorithm {
	return over(burns.BurnsLynch(layout, shm.Sequential), shm.Algorithm{
		Name:   "fcfs/hesselink13",
		Title:  "Hesselink's simplification of Lycklama and Hadzilacos's lock",
		Source: hesselink13,
		Claims: served("4", shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe}),
		Space: shm.Space{
			{Name: "turn", Count: times(3, "3n"), Values: shm.Const(2), SingleWriter: true},
		},
		Layout: layout,
		New:    func(n int) (shm.Mutex, error) { return NewHesselink13(n, layout) },
	})
}

// Hesselink13Mutex is Lycklama and Hadzilacos's lock with four bits a process: a
// process shows one of three bits from its doorway until it has left, and the inner
// lock's bit tells of its doorway too.
//
// Source: Wim H. Hesselink, "Verifying a simplification of mutual exclusion by
// Lycklama-Hadzilacos", Acta Informatica 50(3), 2013, p. 199-228, figure 4.
//
// Registers: turn[i], three bits, and flag[i], a bit, the paper's cp[i], written by
// process i and read by the others; flag is that of Burns and Lynch's lock.
//
// Properties: mutual exclusion is the inner lock's, to which a flag that is set in
// the doorway is one that is soon taken back. First-come-first-served, because a process that
// comes after process i has ended its doorway copies the bit that i shows until it
// has left. No deadlock, because once process q has copied a bit of i, i begins at
// most two passages before one waits for q: the inner lock does not let the first in
// while flag[q] is set in the doorway, and the second waits on line 5. Of three bits
// they do not show the first again. All bits have one
// writer, which changes them when it writes, and safe registers do.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i:
//	1  flag[i] := true
//	2  for each q but i, each b: copy[q][b] := turn[q][b]
//	3  turn[i][nx] := true
//	4  flag[i] := false
//	5  for each q, b with copy[q][b]: wait until not turn[q][b]
//	6  enter Burns and Lynch's lock
//	exit section:
//	7  leave Burns and Lynch's lock
//	8  turn[i][nx] := false; nx := (nx + 1) mod 3
//
// Released stores: none, for want of a check; see Hesselink13.
//
// Deviations: Burns and Lynch's lock is that of package burns, whose line 1 takes the
// flag back once more.
type Hesselink13Mutex struct {
	_       shm.NoCopy
	n       int
	turn    shm.Array[[3]register.Bool]
	private shm.Array[hesselink13Private] // private[i] is used by process i only
	copied  []shm.Array[[3]bool]          // and so is copied[i]
	inner   *burns.BurnsLynchMutex
}

type hesselink13Private struct{ nx int }

// NewHesselink13 returns the lock for n processes, or a *shm.ProcsError.
func NewHesselink13(n int, layout shm.Layout) (*Hesselink13Mutex, error) {
	if err := shm.CheckProcs("fcfs/hesselink13", n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	inner, err := burns.NewBurnsLynch(n, layout, shm.Sequential)
	if err != nil {
		return nil, err
	}
	return &Hesselink13Mutex{
		n:       n,
		turn:    shm.NewArray[[3]register.Bool](n, layout),
		private: shm.NewArray[hesselink13Private](n, shm.Padded),
		copied:  private[[3]bool](n),
		inner:   inner,
	}, nil
}

// Lock is the entry section of process i.
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

// Unlock is the exit section of process i.
func (l *Hesselink13Mutex) Unlock(i int) {
	l.inner.Unlock(i) // 7
	p := l.private.At(i)
	l.turn.At(i)[p.nx].Store(false) // 8
	p.nx = (p.nx + 1) % 3           // 8
}
