package bakery

import (
	"math"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// HehnerShyamasundar returns the specification of Hehner and Shyamasundar's bakery for a
// layout of its registers.
func HehnerShyamasundar(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:  "bakery/hehnershyamasundar",
		Title: "Hehner and Shyamasundar's bakery",
		Source: shm.Source{
			Author: "Eric C. R. Hehner and R. K. Shyamasundar",
			Title:  "An Implementation of P and V",
			Venue:  "Information Processing Letters 12(4)",
			Year:   1981,
			Page:   "196-198",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Regular, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "ticket", Count: shm.N, SingleWriter: true},
		},
	}.Built(layout, shm.Sequential, buildHehnerShyamasundar)
}

// HehnerShyamasundarMutex is the bakery with one register for each process. A process that
// chooses has ticket 0, which is smaller than all others, and a process in its remainder
// section has infinity.
//
// Source: Eric C. R. Hehner and R. K. Shyamasundar, "An Implementation of P and
// V", Information Processing Letters 12(4), 1981, p. 196-198; after Hehner.c
// (github.com/pabuhr/concurrent-locking), which cites it.
//
// Registers: ticket[i], an unbounded integer or infinity, at first infinity,
// written by process i and read by all.
//
// Properties: mutual exclusion, because a process in its critical section has the smallest
// (ticket, id) of all. The others wait for a process that chooses, because its 0 is smaller.
// First-come-first-served, because a process that finds a ticket takes a larger one. So each
// other process enters at most once before a process that has its ticket, and no process
// starves.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i:
//	1  ticket[i] := 0
//	2  mine := 1 + max of all ticket[j] that are not infinity
//	3  ticket[i] := mine
//	4  for j := 0 to n-1, except i:
//	5      wait until (ticket[j], j) > (mine, i)
//	exit section:
//	6  ticket[i] := infinity
type HehnerShyamasundarMutex struct {
	_      shm.NoCopy
	n      int
	ticket shm.Array[atomic.Uint64]
}

// infinity is the ticket of a process in its remainder section.
const infinity = math.MaxUint64

// NewHehnerShyamasundar returns a bakery for n processes, or a *shm.ProcsError.
func NewHehnerShyamasundar(n int, layout shm.Layout) (*HehnerShyamasundarMutex, error) {
	return shm.New[*HehnerShyamasundarMutex](HehnerShyamasundar(layout), n)
}

func buildHehnerShyamasundar(b shm.Build) shm.Mutex {
	l := &HehnerShyamasundarMutex{n: b.N, ticket: shm.NewArray[atomic.Uint64](b.N, b.Layout)}
	for i := range b.N {
		l.ticket.At(i).Store(infinity)
	}
	return l
}

// Lock acquires the lock for process i.
func (l *HehnerShyamasundarMutex) Lock(i int) {
	l.ticket.At(i).Store(0)    // 1
	mine := 1 + l.max(i)       // 2
	l.ticket.At(i).Store(mine) // 3
	for j := range l.n {       // 4
		if j == i {
			continue
		}
		spin.Until(func() bool { // 5
			ticket := l.ticket.At(j).Load()
			return ticket > mine || ticket == mine && j > i
		})
	}
}

// Unlock releases the lock for process i.
func (l *HehnerShyamasundarMutex) Unlock(i int) {
	l.ticket.At(i).Store(infinity) // 6
}

// max returns the largest ticket of the processes other than i that are not in their remainder
// sections. It reads them one after another.
func (l *HehnerShyamasundarMutex) max(i int) uint64 {
	var m uint64
	for j := range l.n {
		if j == i {
			continue
		}
		if ticket := l.ticket.At(j).Load(); ticket != infinity {
			m = max(m, ticket)
		}
	}
	return m
}
