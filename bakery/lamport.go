// Package bakery holds the bakery family: first-come-first-served locks for n
// processes that use only reads and writes, in which a process takes a number
// and waits for all smaller numbers.
package bakery

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
)

// Lamport is the card of Lamport's bakery with its registers laid out as told.
func Lamport(layout shm.Layout) shm.Algorithm {
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
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
		},
		Space: shm.Space{
			{Name: "choosing", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "number", Count: shm.N, SingleWriter: true},
		},
		Layout: layout,
		New:    func(n int) (shm.Mutex, error) { return NewLamport(n, layout) },
	}
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
// Properties: mutual exclusion, because a process in its critical section has
// the smallest (number, id) of all processes with a number, and choosing keeps
// it from missing a number that is about to be written. First-come-first-
// served, because whoever finds a number takes a larger one; so each other
// process enters at most once before a process that has its number, and nobody
// starves.
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
// Deviations: number is a 64-bit word; it grows by at most one a passage and
// only while the critical section stays occupied, and does not overflow in the
// lifetime of a machine.
type LamportMutex struct {
	_        shm.NoCopy
	n        int
	choosing shm.Array[atomic.Bool]
	number   shm.Array[atomic.Uint64]
}

// NewLamport returns a bakery for n processes, or a *shm.ProcsError.
func NewLamport(n int, layout shm.Layout) (*LamportMutex, error) {
	if err := shm.CheckProcs("bakery/lamport", n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	return &LamportMutex{
		n:        n,
		choosing: shm.NewArray[atomic.Bool](n, layout),
		number:   shm.NewArray[atomic.Uint64](n, layout),
	}, nil
}

// Lock is the entry section of process i.
func (l *LamportMutex) Lock(i int) {
	l.choosing.At(i).Store(true)  // 1
	number := 1 + l.max()         // 2
	l.number.At(i).Store(number)  // 2
	l.choosing.At(i).Store(false) // 3
	for j := range l.n {          // 4
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

// Unlock is the exit section of process i.
func (l *LamportMutex) Unlock(i int) {
	l.number.At(i).Store(0) // 7
}

// max returns the largest number, reading the registers one after another.
func (l *LamportMutex) max() uint64 {
	var m uint64
	for j := range l.n {
		m = max(m, l.number.At(j).Load())
	}
	return m
}
