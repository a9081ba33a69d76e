package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var diceKogan = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "Hemlock: Compact and Scalable Mutual Exclusion",
	Venue:  "SPAA",
	Year:   2021,
	Page:   "173-183",
}

// Hemlock returns the specification of Hemlock for a layout of its grants and for its stores.
func Hemlock(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/hemlock",
		Title:  "Hemlock",
		Source: diceKogan,
		Class:  shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "n-2 for n>=2", At: func(n int) int { return max(n-2, 0) }},
			FCFS:           true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "grant", Count: shm.N, Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildHemlock)
}

// HemlockMutex is Hemlock, a queue of processes instead of nodes. Each process spins on a word
// of its predecessor, and acknowledges what it has read there.
//
// Source: Dave Dice and Alex Kogan, "Hemlock: Compact and Scalable Mutual
// Exclusion", SPAA 2021, p. 173-183, listing 1.
//
// Registers: tail, the last process of the queue or nil, swapped by all; grant[i],
// set by process i when it leaves and cleared by its successor.
//
// Properties: mutual exclusion, because a process enters when its predecessor in the order
// of line 1 has left. Only one process has that predecessor until line 3 is done.
// First-come-first-served in that order, so no process starves. The bypass is n-2, and not
// n-1 as in MCS and CLH: the exit section waits on line 6 until the successor has noticed.
// So the leaving process cannot be behind a process that has the lock and does not know it
// yet. That wait takes one step of a polling process.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  pred := swap(tail, i); if pred = nil then enter
//	2  wait until grant[pred]
//	3  grant[pred] := false
//	exit section of process i:
//	4  if compare-and-swap(tail, i, nil) succeeds then return
//	5  grant[i] := true
//	6  wait until not grant[i]
//
// Released stores: line 3, which keeps the predecessor on line 6 until it is visible; line 5,
// which no access of the critical section can pass, and which keeps the successor waiting
// until it is visible.
//
// Deviations: in the paper a process has one grant for all locks, which holds the name of the
// granted lock. Here each lock has its own grants, so a bit is enough. The paper's other forms
// are not here: they poll by read-modify-write operations (CTR), wait for the acknowledgement
// at the next passage (overlap), or set grant before line 4 (aggressive handover).
type HemlockMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // none, or i+1 for process i
	_        shm.Pad
	released bool
	grant    shm.Array[register.Bool]
}

// NewHemlock returns Hemlock for n processes, or a *shm.ProcsError.
func NewHemlock(n int, layout shm.Layout, stores shm.Stores) (*HemlockMutex, error) {
	return shm.New[*HemlockMutex](Hemlock(layout, stores), n)
}

func buildHemlock(b shm.Build) shm.Mutex {
	return &HemlockMutex{released: b.Released, grant: shm.NewArray[register.Bool](b.N, b.Layout)}
}

// Lock acquires the lock for process i.
func (l *HemlockMutex) Lock(i int) {
	pred := l.tail.Swap(uint32(i + 1)) // 1
	if pred == none {
		return
	}
	grant := l.grant.At(int(pred - 1))
	spin.Until(func() bool { return grant.Load() }) // 2
	grant.StoreReleaseIf(l.released, false)         // 3
}

// Unlock releases the lock for process i.
func (l *HemlockMutex) Unlock(i int) {
	if l.tail.CompareAndSwap(uint32(i+1), none) { // 4
		return
	}
	grant := l.grant.At(i)
	grant.StoreReleaseIf(l.released, true)           // 5
	spin.Until(func() bool { return !grant.Load() }) // 6
}
