package peterson

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Tsay returns the specification of Tsay's two-process lock for a layout of its registers and
// for its stores.
func Tsay(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "peterson/tsay",
		Title: "Tsay's two-process lock",
		Source: shm.Source{
			Author: "Yih-Kuen Tsay",
			Title:  "Deriving a Scalable Algorithm for Mutual Exclusion",
			Venue:  "Distributed Computing (DISC), LNCS 1499",
			Year:   1998,
			Page:   "393-407",
		},
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "want", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "last", Count: shm.Const(1), Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildTsay)
}

// TsayMutex is Peterson's lock with a wait for one register: a process reads the other's
// interest once, and a leaving process writes last again to let the other go.
//
// Source: Yih-Kuen Tsay, "Deriving a Scalable Algorithm for Mutual Exclusion",
// DISC 1998, LNCS 1499, p. 393-407; after Tsay.c
// (github.com/pabuhr/concurrent-locking), which cites it.
//
// Registers: want[i], a bit, written by process i and read by the other; last, an
// id, written and read by both.
//
// Properties: mutual exclusion, because of two interested processes the one that wrote last
// last waits, until the other writes it: at its exit, or when it comes back.
// First-come-first-served, so starvation-free with a bypass of one, because a process that
// arrives after the other's line 2 writes last later.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i:
//	1  want[i] := true
//	2  last := i
//	3  if want[1-i] then
//	4      wait until last != i
//	exit section of process i:
//	5  want[i] := false
//	6  last := i
//
// Released stores: lines 1, 5 and 6. The next fence of the process is that of line 2, which
// takes all of them to memory, in order, before anything is read; the last two leave the
// critical section, so that a late store is a late exit.
type TsayMutex struct {
	_        shm.NoCopy
	released bool
	want     [2]*register.Uint32
	last     *register.Uint32
}

// NewTsay returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewTsay(n int, layout shm.Layout, stores shm.Stores) (*TsayMutex, error) {
	return shm.New[*TsayMutex](Tsay(layout, stores), n)
}

func buildTsay(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &TsayMutex{released: b.Released, want: [2]*register.Uint32{r.At(0), r.At(1)}, last: r.At(2)}
}

// Lock acquires the lock for process i.
func (l *TsayMutex) Lock(i int) {
	me := uint32(i)
	l.want[i].StoreReleaseIf(l.released, 1) // 1
	l.last.Store(me)                        // 2
	if l.want[1-i].Load() != 0 {            // 3
		spin.Until(func() bool { return l.last.Load() != me }) // 4
	}
}

// Unlock releases the lock for process i.
func (l *TsayMutex) Unlock(i int) {
	l.want[i].StoreReleaseIf(l.released, 0)      // 5
	l.last.StoreReleaseIf(l.released, uint32(i)) // 6
}
