package dijkstra

import (
	"math"
	"math/bits"

	"shmbench/shm"
	"shmbench/shm/spin"
)

var knuthSource = shm.Source{
	Author: "Donald E. Knuth",
	Title:  "Additional Comments on a Problem in Concurrent Programming Control",
	Venue:  "Communications of the ACM 9(5)",
	Year:   1966,
	Page:   "321-322",
}

// Knuth returns the specification of Knuth's lock for a layout of its registers and for its
// stores.
func Knuth(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "dijkstra/knuth",
		Title:  "Knuth's lock",
		Source: knuthSource,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "2^(n-1)-1", At: knuthBypass},
			Doorway:        "1",
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Regular, StarvationFree: shm.Regular},
		},
		Space:      controlSpace,
		Invariants: goingIn(knuthSource),
	}.Built(layout, stores, buildKnuth)
}

// KnuthMutex is the first lock for n processes in which no process starves. The turn goes
// round, and a process enters when no process between the turn and itself wants to enter.
//
// Source: Donald E. Knuth, "Additional Comments on a Problem in Concurrent
// Programming Control", Communications of the ACM 9(5), 1966, p. 321-322.
//
// Registers: control[i], 0 to 2, written by process i and read by all; k, an id,
// written by the process in its critical section and read by all.
//
// Properties: mutual exclusion, because each process sets its control to 2 before it looks for
// another 2, so that one of two processes sees the other. Starvation-free, because k reaches
// every process, and a process that has it need not wait on line 2. The bypass is 2^(n-1)-1,
// as in the paper: a process that enters out of turn moves the turn to itself, and the
// processes that it had already passed can enter once more.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  control[i] := 1
//	2  for j := k, k-1, ..., round to i+1: if control[j] is not 0 then goto 2
//	3  control[i] := 2
//	4  for j := 0 to n-1, except i: if control[j] = 2 then goto 1
//	5  k := i
//	exit section of process i:
//	6  k := i-1, or n-1 if i = 0
//	7  control[i] := 0
//
// Released stores: lines 5, 6 and 7, which no access of the critical section can pass. They
// reach memory in this order, and until line 7 does, no other process passes line 4.
//
// Deviations: processes are numbered from 0, and line 4 begins with the lowest.
type KnuthMutex struct {
	_ shm.NoCopy
	controls
}

// NewKnuth returns the lock for n processes, or a *shm.ProcsError.
func NewKnuth(n int, layout shm.Layout, stores shm.Stores) (*KnuthMutex, error) {
	return shm.New[*KnuthMutex](Knuth(layout, stores), n)
}

func buildKnuth(b shm.Build) shm.Mutex {
	return &KnuthMutex{controls: newControls(b)}
}

// Lock acquires the lock for process i.
func (l *KnuthMutex) Lock(i int) {
	for again := false; ; again = true {
		l.control.At(i).Store(wants)                     // 1
		spin.Until(func() bool { return l.turn(i, -1) }) // 2
		l.control.At(i).Store(goesIn)                    // 3
		if l.alone(i) {                                  // 4
			break
		}
		if again { // of two processes that meet once, one mostly passes line 4 at its second try
			spin.Pause()
		}
	}
	l.k.StoreReleaseIf(l.released, uint32(i)) // 5
}

// Unlock releases the lock for process i.
func (l *KnuthMutex) Unlock(i int) {
	l.k.StoreReleaseIf(l.released, uint32(l.next(i, -1))) // 6
	l.control.At(i).StoreReleaseIf(l.released, outside)   // 7
}

// knuthBypass is Knuth's bound, or the largest int.
func knuthBypass(n int) int {
	if n >= bits.UintSize {
		return math.MaxInt
	}
	return 1<<(n-1) - 1
}
