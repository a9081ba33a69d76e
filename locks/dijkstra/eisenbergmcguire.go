package dijkstra

import (
	"shmbench/shm"
	"shmbench/shm/spin"
)

var eisenbergmcguireSource = shm.Source{
	Author: "Murray A. Eisenberg and Michael R. McGuire",
	Title:  "Further Comments on Dijkstra's Concurrent Programming Control Problem",
	Venue:  "Communications of the ACM 15(11)",
	Year:   1972,
	Page:   "999",
}

// EisenbergMcGuire returns the specification of Eisenberg and McGuire's lock for a layout of
// its registers and for its stores.
func EisenbergMcGuire(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "dijkstra/eisenbergmcguire",
		Title:  "Eisenberg and McGuire's lock",
		Source: eisenbergmcguireSource,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			Doorway:        "1",
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Regular, StarvationFree: shm.Regular},
			Recovery:       &shm.Recovery{StarvationFree: true, StronglyStarvationFree: true, Exit: shm.NPlus1},
		},
		Space:      controlSpace,
		Invariants: goingIn(eisenbergmcguireSource),
	}.Built(layout, stores, buildEisenbergMcGuire)
}

// EisenbergMcGuireMutex is the last of these locks, with the least bound. The process that
// leaves gives the turn to the next process in a round that wants to enter. No process
// enters before a process that has the turn and wants to enter.
//
// Source: Murray A. Eisenberg, Michael R. McGuire, "Further Comments on Dijkstra's
// Concurrent Programming Control Problem", Communications of the ACM 15(11), 1972,
// p. 999.
//
// Registers: control[i], 0 to 2, written by process i and read by all; k, an id,
// written by the process in its critical section or leaving it, and read by all.
//
// Properties: mutual exclusion, because each process sets its control to 2 before it looks
// for another 2, so that one of two processes sees the other. Starvation-free, with a bypass
// of n-1, as in the paper, because line 5 keeps every other process out while the owner of the
// turn wants to enter. The turn goes round and skips no process that wants to enter. Without
// line 5 the bypass is Knuth's: 3 for three processes, and 7 for four.
//
// Under crashes the lock needs no recover section. A process that crashed in its critical
// section still has the turn. Line 5 keeps the others out while it executes the entry
// section again.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  control[i] := 1
//	2  for j := k, k+1, ..., round to i-1: if control[j] is not 0 then goto 2
//	3  control[i] := 2
//	4  for j := 0 to n-1, except i: if control[j] = 2 then goto 1
//	5  if k is not i and control[k] is not 0 then goto 1
//	6  k := i
//	exit section of process i:
//	7  for j := i+1, i+2, ..., round to i-1: if control[j] is not 0 then
//	8      k := j, and goto 9
//	9  control[i] := 0
//
// Released stores: lines 6, 8 and 9, which no access of the critical section can pass. They
// reach memory in this order, and until line 9 does, no other process passes line 4.
//
// Deviations: processes are numbered from 0, and line 5 reads k once. The exit section
// has i where the paper has k, which is i until line 8.
type EisenbergMcGuireMutex struct {
	_ shm.NoCopy
	controls
}

// NewEisenbergMcGuire returns the lock for n processes, or a *shm.ProcsError.
func NewEisenbergMcGuire(n int, layout shm.Layout, stores shm.Stores) (*EisenbergMcGuireMutex, error) {
	return shm.New[*EisenbergMcGuireMutex](EisenbergMcGuire(layout, stores), n)
}

func buildEisenbergMcGuire(b shm.Build) shm.Mutex {
	return &EisenbergMcGuireMutex{controls: newControls(b)}
}

// Lock acquires the lock for process i.
func (l *EisenbergMcGuireMutex) Lock(i int) {
	for {
		l.control.At(i).Store(wants)                    // 1
		spin.Until(func() bool { return l.turn(i, 1) }) // 2
		l.control.At(i).Store(goesIn)                   // 3
		if l.alone(i) {                                 // 4
			if k := int(l.k.Load()); k == i || l.control.At(k).Load() == outside { // 5
				break
			}
		}
		spin.Pause()
	}
	l.k.StoreReleaseIf(l.released, uint32(i)) // 6
}

// Unlock releases the lock for process i.
func (l *EisenbergMcGuireMutex) Unlock(i int) {
	for j := l.next(i, 1); j != i; j = l.next(j, 1) { // 7
		if l.control.At(j).Load() != outside { // 7
			l.k.StoreReleaseIf(l.released, uint32(j)) // 8
			break
		}
	}
	l.control.At(i).StoreReleaseIf(l.released, outside) // 9
}
