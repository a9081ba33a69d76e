// Package burns holds the locks of Burns, Lynch and Lamport: locks of reads and writes for n
// processes, with one to three bits for each process. It also holds the round robin, which
// makes one of them, or any deadlock-free lock, starvation-free.
package burns

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// BurnsLynch returns the specification of Burns and Lynch's lock for a layout of its registers
// and for its stores.
func BurnsLynch(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "burns/burnslynch",
		Title: "Burns and Lynch's lock of one bit a process",
		Source: shm.Source{
			Author: "James E. Burns and Nancy A. Lynch",
			Title:  "Bounds on Shared Memory for Mutual Exclusion",
			Venue:  "Information and Computation 107(2)",
			Year:   1993,
			Page:   "171-184",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree: true,
			Weakest:      shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe},
		},
		Space: shm.Space{{Name: "flag", Count: shm.N, Values: shm.Const(2), SingleWriter: true}},
	}.Built(layout, stores, buildBurnsLynch)
}

// BurnsLynchMutex is a lock in which a process shows that it wants to enter. The process clears
// its bit for every process with a lower number, and waits for those with higher numbers to do so.
//
// Source: James E. Burns, Nancy A. Lynch, "Bounds on Shared Memory for Mutual Exclusion",
// Information and Computation 107(2), 1993, p. 171-184, who also show that n registers are the
// fewest of any lock of reads and writes that is deadlock-free. The lock was first in their
// "Mutual Exclusion Using Indivisible Reads and Writes", 18th Annual Allerton Conference on
// Communication, Control, and Computing, 1980, p. 833-842. Written after BurnsLynch.c
// (github.com/pabuhr/concurrent-locking), which cites p. 836 of that paper.
//
// Registers: flag[i], a bit, written by process i and read by all.
//
// Properties: mutual exclusion, because of two processes that both set their bits, the one
// that read the other's later saw it set, and did not pass. Deadlock-free, because the lowest
// process that wants to enter gives way to no process, and all others give way to it. Any
// process but 0 can starve.
//
// There is no doorway: line 2 waits.
//
//	entry section of process i:
//	1  flag[i] := false
//	2  for j := 0 to i-1: wait until flag[j] = false
//	3  flag[i] := true
//	4  for j := 0 to i-1: if flag[j] then goto 1
//	5  for j := i+1 to n-1: wait until flag[j] = false
//	exit section:
//	6  flag[i] := false
//
// Released stores: lines 1 and 6, which only clear the bit: until they are visible the others
// wait, as they would have done a little earlier. No access of the critical section can pass
// line 6.
//
// Deviations: lines 2 and 5 wait for each process in turn. The paper begins again with the
// first, and goes through line 1 in line 2.
type BurnsLynchMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	flag     shm.Array[register.Bool]
}

// NewBurnsLynch returns the lock for n processes, or a *shm.ProcsError.
func NewBurnsLynch(n int, layout shm.Layout, stores shm.Stores) (*BurnsLynchMutex, error) {
	return shm.New[*BurnsLynchMutex](BurnsLynch(layout, stores), n)
}

func buildBurnsLynch(b shm.Build) shm.Mutex {
	return &BurnsLynchMutex{
		released: b.Released,
		n:        b.N,
		flag:     shm.NewArray[register.Bool](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *BurnsLynchMutex) Lock(i int) {
	for {
		l.flag.At(i).StoreReleaseIf(l.released, false) // 1
		for j := range i {                             // 2
			spin.Until(func() bool { return !l.flag.At(j).Load() })
		}
		l.flag.At(i).Store(true) // 3
		if l.first(i) {          // 4
			break
		}
		spin.Pause()
	}
	for j := i + 1; j < l.n; j++ { // 5
		spin.Until(func() bool { return !l.flag.At(j).Load() })
	}
}

// first reports whether no process of a lower number shows that it wants to enter.
func (l *BurnsLynchMutex) first(i int) bool {
	for j := range i { // 4
		if l.flag.At(j).Load() {
			return false
		}
	}
	return true
}

// Unlock releases the lock for process i.
func (l *BurnsLynchMutex) Unlock(i int) {
	l.flag.At(i).StoreReleaseIf(l.released, false) // 6
}

// Flag returns flag[i], for a lock around this one that uses the same bit.
func (l *BurnsLynchMutex) Flag(i int) *register.Bool { return l.flag.At(i) }
