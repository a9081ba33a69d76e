// Package bakery holds the bakery family: first-come-first-served locks for n
// processes that use only reads and writes, in which a process takes a number
// and waits for all smaller numbers.
package bakery

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Lamport returns the specification of Lamport's bakery for a layout of its registers and for
// its stores.
func Lamport(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "bakery/lamport",
		Title: "Lamport's bakery",
		Source: shm.Source{
			Author: "Leslie Lamport",
			Title:  "A New Solution of Dijkstra's Concurrent Programming Problem",
			Venue:  "Communications of the ACM 17(8)",
			Year:   1974,
			Page:   "453-455",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "choosing", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "number", Count: shm.N, SingleWriter: true},
		},
		Invariants: lamportInvariants,
	}.Built(layout, stores, buildLamport)
}

// LamportMutex is the bakery: a process takes a number greater than all it
// sees and waits for every process with a smaller number.
//
// Source: Leslie Lamport, "A New Solution of Dijkstra's Concurrent Programming
// Problem", Communications of the ACM 17(8), 1974, p. 453-455.
//
// Registers: choosing[i], a boolean, and number[i], an unbounded integer, both
// written by process i only and read by all.
//
// Properties: mutual exclusion, because a process in its critical section has the
// smallest (number, id) of all processes with a number. The boolean choosing keeps
// the process from missing a number that is about to be written.
// First-come-first-served, because a process that finds a number takes a larger one;
// so each other process enters at most once before a process that has its number, and
// no process starves.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i:
//	1  choosing[i] := true
//	2  number[i] := 1 + max(number[0], ..., number[n-1])
//	3  choosing[i] := false
//	4  for j := 0 to n-1, except i:
//	5      wait until choosing[j] = false
//	6      wait until number[j] = 0 or (number[j], j) > (number[i], i)
//	exit section:
//	7  number[i] := 0
//
// Released stores: number on line 2, which line 3, with its fence, takes to memory before
// anything is read again; line 7, which no access of the critical section can pass. If others
// see line 7 late, they see the exit late.
//
// Deviations: number is a 64-bit word; it grows by at most one a passage and only while
// the critical section stays occupied. It does not overflow in the lifetime of a
// machine.
type LamportMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	choosing shm.Array[register.Bool]
	number   shm.Array[register.Uint64]
}

// NewLamport returns a bakery for n processes, or a *shm.ProcsError.
func NewLamport(n int, layout shm.Layout, stores shm.Stores) (*LamportMutex, error) {
	return shm.New[*LamportMutex](Lamport(layout, stores), n)
}

func buildLamport(b shm.Build) shm.Mutex {
	return &LamportMutex{
		released: b.Released,
		n:        b.N,
		choosing: shm.NewArray[register.Bool](b.N, b.Layout),
		number:   shm.NewArray[register.Uint64](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *LamportMutex) Lock(i int) {
	l.choosing.At(i).Store(true)                      // 1
	number := 1 + l.max()                             // 2
	l.number.At(i).StoreReleaseIf(l.released, number) // 2
	l.choosing.At(i).StoreFencedIf(l.released, false) // 3
	for j := range l.n {                              // 4
		if j == i {
			continue
		}
		spin.Until(func() bool { return !l.choosing.At(j).Load() }) // 5
		spin.Until(func() bool {                                    // 6
			other := l.number.At(j).Load()
			return other == 0 || other > number || other == number && j > i
		})
	}
}

// Unlock releases the lock for process i.
func (l *LamportMutex) Unlock(i int) {
	l.number.At(i).StoreReleaseIf(l.released, 0) // 7
}

// max returns the largest number, reading the registers one after another.
func (l *LamportMutex) max() uint64 {
	var m uint64
	for j := range l.n {
		m = max(m, l.number.At(j).Load())
	}
	return m
}
