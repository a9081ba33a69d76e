package peterson

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// PetersonFischer returns the specification of Peterson and Fischer's two-process lock for a
// layout of its registers.
func PetersonFischer(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:  "peterson/petersonfischer",
		Title: "Peterson and Fischer's two-process lock",
		Source: shm.Source{
			Author: "Gary L. Peterson and Michael J. Fischer",
			Title:  "Economical Solutions for the Critical Section Problem in a Distributed System",
			Venue:  "Proceedings of the 9th ACM Symposium on Theory of Computing (STOC)",
			Year:   1977,
			Page:   "91-97",
		},
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "4",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "q", Count: shm.Const(2), Values: shm.Const(3), SingleWriter: true},
		},
	}.Built(layout, shm.Sequential, buildPetersonFischer)
}

// The values of a register of Peterson and Fischer's lock. The initial value must
// be 0.
const (
	out  = 0
	no   = 1 // F in the paper
	yes  = 2 // T in the paper
	flip = no ^ yes
)

// PetersonFischerMutex is a lock with one register of three values for each process. Process 0
// makes its register equal to the other's and waits while they are equal. Process 1 makes them
// differ and waits while they differ.
//
// Source: Gary L. Peterson and Michael J. Fischer, "Economical Solutions for the
// Critical Section Problem in a Distributed System", STOC 1977, p. 91-97; after
// Peterson2T.c and PetersonT.c (github.com/pabuhr/concurrent-locking).
//
// Registers: q[i], out, no or yes, at first out, written by process i and read by
// the other.
//
// Properties: mutual exclusion, because if both compete, one of the two relations holds, and
// the process that waits for its end does not enter. A process that copies an outdated value
// may undo what the other relies on, so it reads and writes twice. First-come-first-served,
// and so starvation-free with a bypass of one. The reason is that a process that arrives
// after line 4 of the other establishes the relation during which it waits itself. Counted
// from its first step, a process can be passed without bound while it is in its doorway.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i, where
//	mine(x) = yes if x = out, else x if i = 0, else the other of yes and no:
//	1  x := q[1-i]
//	2  q[i] := mine(x)
//	3  x := q[1-i]
//	4  if x != out then q[i] := mine(x)
//	5  wait until q[1-i] = out or q[i] != mine(q[1-i])
//	exit section of process i:
//	6  q[i] := out
//
// Released stores: none can be. Lines 2 and 4 stand before a look at the other
// process, and so does line 6: line 1 of the next passage reads the other's
// register, and what it reads is written on line 2.
//
// Deviations: the paper's values Z, F and T are called out, no and yes.
type PetersonFischerMutex struct {
	_ shm.NoCopy
	q [2]*atomic.Uint32
}

// NewPetersonFischer returns the lock for n processes, 1 or 2, or a
// *shm.ProcsError.
func NewPetersonFischer(n int, layout shm.Layout) (*PetersonFischerMutex, error) {
	return shm.New[*PetersonFischerMutex](PetersonFischer(layout), n)
}

func buildPetersonFischer(b shm.Build) shm.Mutex {
	r := shm.NewArray[atomic.Uint32](2, b.Layout)
	return &PetersonFischerMutex{q: [2]*atomic.Uint32{r.At(0), r.At(1)}}
}

// Lock acquires the lock for process i.
func (l *PetersonFischerMutex) Lock(i int) {
	other := l.q[1-i]
	x := other.Load() // 1
	m := mine(i, x)
	l.q[i].Store(m)                 // 2
	if x = other.Load(); x != out { // 3
		m = mine(i, x)
		l.q[i].Store(m) // 4
	}
	spin.Until(func() bool { // 5
		x := other.Load()
		return x == out || m != mine(i, x)
	})
}

// Unlock releases the lock for process i.
func (l *PetersonFischerMutex) Unlock(i int) {
	l.q[i].Store(out) // 6
}

// mine is what process i writes when it has read x.
func mine(i int, x uint32) uint32 {
	switch {
	case x == out:
		return yes
	case i == 0:
		return x
	}
	return x ^ flip
}
