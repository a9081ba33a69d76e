package dijkstra

import (
	"shmbench/shm"
	"shmbench/shm/spin"
)

var debruijnSource = shm.Source{
	Author: "Nicolaas G. de Bruijn",
	Title:  "Additional Comments on a Problem in Concurrent Programming Control",
	Venue:  "Communications of the ACM 10(3)",
	Year:   1967,
	Page:   "137-138",
}

// DeBruijn returns the specification of de Bruijn's lock for a layout of its registers and for
// its stores.
func DeBruijn(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "dijkstra/debruijn",
		Title:  "de Bruijn's lock",
		Source: debruijnSource,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "n(n-1)/2", At: func(n int) int { return n * (n - 1) / 2 }},
			Doorway:        "1",
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Regular, StarvationFree: shm.Regular},
		},
		Space:      controlSpace,
		Invariants: goingIn(debruijnSource),
	}.Built(layout, stores, buildDeBruijn)
}

// DeBruijnMutex is Knuth's lock with a turn that moves only past processes that do not want to
// enter, and past the one that leaves. So the bound is n(n-1)/2 instead of 2^(n-1)-1.
//
// Source: Nicolaas G. de Bruijn, "Additional Comments on a Problem in Concurrent
// Programming Control", Communications of the ACM 10(3), 1967, p. 137-138.
//
// Registers: control[i], 0 to 2, written by process i and read by all; k, an id,
// written by the process that leaves its critical section and read by all.
//
// Properties: mutual exclusion, because each process sets its control to 2 before it looks
// for another 2, so that one of two processes sees the other. Starvation-free, with a bypass
// of n(n-1)/2, as in the paper, because the turn stays with a process that wants to enter until
// it has entered. Meanwhile each other process enters at most once for each place that it is
// ahead.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  control[i] := 1
//	2  for j := k, k-1, ..., round to i+1: if control[j] is not 0 then goto 2
//	3  control[i] := 2
//	4  for j := 0 to n-1, except i: if control[j] = 2 then goto 1
//	exit section of process i:
//	5  if k = i or control[k] = 0 then
//	6      k := k-1, or n-1 if k = 0
//	7  control[i] := 0
//
// Released stores: lines 6 and 7, which no access of the critical section can pass. They reach
// memory in this order, and until line 7 does, no other process passes line 4.
//
// Deviations: processes are numbered from 0, line 4 begins with the lowest, and line 5
// reads k once.
type DeBruijnMutex struct {
	_ shm.NoCopy
	controls
}

// NewDeBruijn returns the lock for n processes, or a *shm.ProcsError.
func NewDeBruijn(n int, layout shm.Layout, stores shm.Stores) (*DeBruijnMutex, error) {
	return shm.New[*DeBruijnMutex](DeBruijn(layout, stores), n)
}

func buildDeBruijn(b shm.Build) shm.Mutex {
	return &DeBruijnMutex{controls: newControls(b)}
}

// Lock acquires the lock for process i.
func (l *DeBruijnMutex) Lock(i int) {
	for {
		l.control.At(i).Store(wants)                     // 1
		spin.Until(func() bool { return l.turn(i, -1) }) // 2
		l.control.At(i).Store(goesIn)                    // 3
		if l.alone(i) {                                  // 4
			return
		}
		spin.Pause()
	}
}

// Unlock releases the lock for process i.
func (l *DeBruijnMutex) Unlock(i int) {
	if k := int(l.k.Load()); k == i || l.control.At(k).Load() == outside { // 5
		l.k.StoreReleaseIf(l.released, uint32(l.next(k, -1))) // 6
	}
	l.control.At(i).StoreReleaseIf(l.released, outside) // 7
}
