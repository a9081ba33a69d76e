// Package elevator holds the elevator locks. The exit section gives the turn to the next
// process that has applied, in the order of a cyclic scan. Only when no process has applied
// must the next ones choose a leader.
package elevator

import (
	"shmbench/shm"
	"shmbench/shm/register"
)

// elevators is the source of the locks of this package.
var elevators = shm.Source{
	Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
	Title:  "High-Contention Mutual Exclusion by Elevator Algorithms",
	Venue:  "Concurrency and Computation: Practice and Experience 30(18)",
	Year:   2018,
	Page:   "e4475",
}

// Linear returns the specification of the linear elevator, whose leader is chosen by
// compare-and-swap, for a layout of its registers and for its stores.
func Linear(layout shm.Layout, stores shm.Stores) shm.Algorithm { return first(byCAS, layout, stores) }

// LinearBL returns the specification of the linear elevator of reads and writes whose leader is
// chosen after Burns and Lynch.
func LinearBL(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return first(byBurnsLynch, layout, stores)
}

// LinearLF returns the specification of the linear elevator of reads and writes whose leader is
// chosen after Lamport's fast lock.
func LinearLF(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return first(byLamport, layout, stores)
}

func first(by trial, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return linear(by, "linear", "Linear elevator", newFirstTurn, layout, stores,
		shm.Registers{Name: "first", Count: shm.Const(1), Values: shm.NPlus1})
}

// linear returns the specification of a form of the linear elevator. place is the registers of
// newTurn.
func linear(by trial, name, title string, newTurn func(int, shm.Layout, bool) turn, layout shm.Layout, stores shm.Stores, place shm.Registers) shm.Algorithm {
	return shm.Algorithm{
		Name:   "elevator/" + name + by.suffix,
		Title:  title + ", leader " + by.title,
		Source: elevators,
		Class:  by.class,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			Doorway:        by.doorway,
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        by.weakest,
		},
		Space: append(shm.Space{{Name: "apply", Count: shm.N, Values: shm.Const(2), SingleWriter: true}, place}, by.space...),
	}.Built(layout, stores, func(b shm.Build) shm.Mutex {
		return &LinearMutex{
			released: b.Released,
			n:        b.N,
			apply:    shm.NewArray[register.Bool](b.N, b.Layout),
			trylock:  by.newTrylock(b.N, b.Layout, b.Released),
			turn:     newTurn(b.N, b.Layout, b.Released),
		}
	})
}

// LinearMutex is the linear elevator. The exit section looks for the next process that has
// applied, upwards from its own number and around, and gives it the turn. If there is none,
// the processes that arrive choose a leader.
//
// Source: Peter A. Buhr, David Dice, Wim H. Hesselink, "High-Contention Mutual Exclusion by
// Elevator Algorithms", Concurrency and Computation: Practice and Experience 30(18), 2018,
// e4475. Written after their program ElevatorLinear.c (github.com/pabuhr/concurrent-locking,
// f32f830).
//
// Registers: apply[i], a bit, written by process i and by the exit section of another; first,
// the id of the process that has the turn, or n if no process has it. A leader and exit
// sections write this id, and waiting processes read it. Besides, those of the trylock: fast,
// a bit, is true while there is a leader that has not entered.
//
// Properties: mutual exclusion, because a process that enters has the turn, and only the
// process in its critical section gives it away. One leader at a time takes the turn when no
// process has it. Starvation-free: in a cycle, the exit sections give the turn to each other
// process at most once before a process that has applied. So at most n-1 processes enter
// first. A process that applied too late to be seen finds fast false, or a leader that has not
// yet looked. The order is that of the numbers, and not of arrival.
//
// The doorway ends with line 2 if that is a compare-and-swap, and otherwise with the first
// line of the trylock after which others see apply.
//
//	entry section of process i:
//	1  apply[i] := true
//	2  if trylock(i) then
//	3      wait until first = i or first = n
//	4      first := i
//	5      fast := false
//	   else
//	6      wait until first = i
//	exit section:
//	7  k := the first of i+1, ..., n-1, 0, ..., i-1 with apply[k]; n if there is none
//	8  apply[i] := false
//	9  first := k
//
// Released stores: line 1, because the trylock has a fence, or a compare-and-swap, before it
// reads; line 4, because line 5 has a fence, and until then only this process looks for its
// own id; lines 8 and 9, which leave the critical section in this order; fast and y in a
// trylock, and the first b[i] of Lamport's, because a store with a fence follows at once. Line
// 5 keeps its fence. Without it, line 7 may miss a process that still reads fast as true, and
// no process would give it the turn.
//
// Deviations: no process reads its own apply.
type LinearMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	apply    shm.Array[register.Bool]
	trylock  trylock
	turn     turn
}

// Lock acquires the lock for process i.
func (l *LinearMutex) Lock(i int) {
	l.apply.At(i).StoreReleaseIf(l.released, true) // 1
	if l.trylock.try(i) {                          // 2
		l.turn.lead(i)    // 3, 4
		l.trylock.reset() // 5
	} else {
		l.turn.follow(i) // 6
	}
}

// Unlock releases the lock for process i.
func (l *LinearMutex) Unlock(i int) {
	k := l.next(i)                                  // 7
	l.apply.At(i).StoreReleaseIf(l.released, false) // 8
	l.turn.pass(k)                                  // 9
}

// next returns the first process after i in the cycle that has applied, or n.
func (l *LinearMutex) next(i int) int {
	for k := i + 1; k < l.n; k++ {
		if l.apply.At(k).Load() { // 7
			return k
		}
	}
	for k := range i {
		if l.apply.At(k).Load() { // 7
			return k
		}
	}
	return l.n
}
