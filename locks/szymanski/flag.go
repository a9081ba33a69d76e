// Package szymanski holds Szymański's locks. Processes that arrive at about the same time
// gather in a waiting room. Its first door shuts when the second one opens, and opens again
// when all of them have left.
package szymanski

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var linearWait = shm.Source{
	Author: "Bolesław K. Szymański",
	Title:  "A Simple Solution to Lamport's Concurrent Programming Problem with Linear Wait",
	Venue:  "Proceedings of the 2nd International Conference on Supercomputing",
	Year:   1988,
	Page:   "621-626",
}

// twice is two critical sections of each other process.
var twice = shm.Formula{Text: "2(n-1)", At: func(n int) int { return 2 * (n - 1) }}

// Flag returns the specification of Szymański's lock for a layout of its registers and for its
// stores.
func Flag(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return flagSpec(shm.Algorithm{
		Name:   "szymanski/flag",
		Title:  "Szymański's lock of a five-valued flag a process",
		Source: linearWait,
	}, false, layout, stores)
}

// flagSpec completes the specification of a form of the lock.
func flagSpec(a shm.Algorithm, looksOn bool, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a.Class = shm.ReadWrite
	a.Claims = shm.Claims{
		DeadlockFree:   true,
		StarvationFree: true,
		Bypass:         twice,
		Doorway:        "1",
		LocalSpin:      shm.LocalSpin{CC: true},
		Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Regular, StarvationFree: shm.Atomic},
	}
	a.Space = shm.Space{{Name: "flag", Count: shm.N, Values: shm.Const(5), SingleWriter: true}}
	a.Invariants = flagInvariants
	return a.Built(layout, stores, func(b shm.Build) shm.Mutex {
		return &FlagMutex{
			released: b.Released,
			looksOn:  looksOn,
			n:        b.N,
			flag:     shm.NewArray[register.Uint32](b.N, b.Layout),
		}
	})
}

// FlagMutex is Szymański's lock. A process passes a first door, which is open while no
// process is past it. The process waits behind the door while others are still on their way
// in. The processes in the room then enter in the order of their numbers, and keep the
// second door open until all of them are through.
//
// Source: Bolesław K. Szymański, "A Simple Solution to Lamport's Concurrent
// Programming Problem with Linear Wait", Proceedings of the 2nd International
// Conference on Supercomputing, 1988, p. 621-626, figure 2 (p. 624).
//
// Registers: flag[i], 0 to 4, written by process i and read by all: 0 in the
// remainder section, 1 in front of the first door, 3 in it, 2 in the waiting room,
// 4 past the second door.
//
// Properties: mutual exclusion, because the first process at 4 has seen no process in front
// of the first door since it was at 3. A later process finds that door shut. Among the
// processes in the room the lowest number goes first. Starvation-free, because the last
// process to enter the room opens the second door, and line 9 keeps it open until all are
// through. Each other process enters at most twice before a given process: once if it was
// in the room when that process arrived, and once if it enters the room with it. There is
// no order of arrival: in the room the number decides.
//
// On regular registers exclusion is lost with two processes: while 3 is being
// written over 1, a read on line 8 may return 1 after one on line 4 has returned 3.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  flag[i] := 1
//	2  for all j other than i: wait until flag[j] < 3
//	3  flag[i] := 3
//	4  if flag[j] = 1 for some j other than i then
//	5      flag[i] := 2
//	6      wait until flag[j] = 4 for some j other than i
//	7  flag[i] := 4
//	8  for j := 0 to i-1: wait until flag[j] < 2
//	exit section:
//	9  for j := i+1 to n-1: wait until flag[j] < 2 or flag[j] > 3
//	10 flag[i] := 0
//
// Released stores: lines 5, 7 and 10. If a 2 or 4 is late, others see the process at 3 or 2,
// although it waits or is past the second door. Line 8 holds back the higher numbers then as
// well. Line 9 keeps a process that it saw at 4 where it is, and so the first door shut. No
// access of the critical section can pass line 10, and a late store is a late exit.
//
// Deviations: processes are numbered from 0, and none reads its own flag, whose value it
// knows. Each line reads the flags one after another, as in the paper.
type FlagMutex struct {
	_        shm.NoCopy
	released bool
	looksOn  bool // whether line 4 looks on after line 6
	n        int
	flag     shm.Array[register.Uint32]
}

// NewFlag returns the lock for n processes, or a *shm.ProcsError.
func NewFlag(n int, layout shm.Layout, stores shm.Stores) (*FlagMutex, error) {
	return shm.New[*FlagMutex](Flag(layout, stores), n)
}

// Lock acquires the lock for process i.
func (l *FlagMutex) Lock(i int) {
	l.flag.At(i).Store(1) // 1
	for j := range l.n {
		if j != i {
			spin.Until(func() bool { return l.flag.At(j).Load() < 3 }) // 2
		}
	}
	l.flag.At(i).Store(3) // 3
	for j := range l.n {
		if j == i || l.flag.At(j).Load() != 1 { // 4
			continue
		}
		l.flag.At(i).StoreReleaseIf(l.released, 2)   // 5
		spin.Until(func() bool { return l.open(i) }) // 6
		if !l.looksOn {
			break
		}
	}
	l.flag.At(i).StoreReleaseIf(l.released, 4) // 7
	for j := range i {
		spin.Until(func() bool { return l.flag.At(j).Load() < 2 }) // 8
	}
}

// Unlock releases the lock for process i.
func (l *FlagMutex) Unlock(i int) {
	for j := i + 1; j < l.n; j++ {
		spin.Until(func() bool {
			flag := l.flag.At(j).Load() // 9
			return flag < 2 || flag > 3
		})
	}
	l.flag.At(i).StoreReleaseIf(l.released, 0) // 10
}

// open reports whether some other process holds the second door open. It reads the flags one
// after another, up to the first one that does.
func (l *FlagMutex) open(i int) bool {
	for j := range l.n {
		if j != i && l.flag.At(j).Load() == 4 { // 6
			return true
		}
	}
	return false
}

var flagInvariants = []shm.Invariant{
	// The paper's states of a process: 0 in the remainder section only, and 4 from the critical
	// section up to the next remainder section.
	{Name: "flag", Source: linearWait, Holds: func(v shm.View) error {
		for i := range v.N() {
			flag, section := v.Int("flag", i), v.Section(i)
			inside := section == shm.Critical || section == shm.Exit
			if inside && flag != 4 || (section == shm.Remainder) != (flag == 0) {
				return fmt.Errorf("process %d has flag[%d] = %d in its %v section", i, i, flag, section)
			}
		}
		return nil
	}},
}
