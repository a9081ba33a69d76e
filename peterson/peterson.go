package peterson

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Peterson returns the specification of Peterson's two-process lock for a layout of its
// registers and for its stores.
func Peterson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     "peterson/peterson",
		Title:    "Peterson's two-process lock",
		Source:   myths,
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "q", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.Const(1), Values: shm.Const(2)},
		},
		Invariants: petersonInvariants,
	}.Built(layout, stores, buildPeterson)
}

// PetersonMutex is Peterson's two-process lock. A process shows its interest, names itself as
// the last one in turn, and waits while the other is interested and turn names itself.
//
// Source: Gary L. Peterson, "Myths About the Mutual Exclusion Problem",
// Information Processing Letters 12(3), 1981, p. 115-116.
//
// Registers: q[i], a bit, written by process i and read by the other; turn,
// an id, written and read by both.
//
// Properties: mutual exclusion, because if both processes are interested, the one that wrote
// turn last waits. First-come-first-served, and so starvation-free with a bypass of one. The
// reason is that a process that arrives after line 2 of the other process writes turn later,
// and waits.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i:
//	1  q[i] := true
//	2  turn := i
//	3  wait until not q[1-i] or turn = 1-i
//	exit section of process i:
//	4  q[i] := false
//
// Released stores: line 1, because line 2 has a fence, which no store before it passes, and
// nothing is read in between; line 4, which no access of the critical section can pass, and a
// late store only keeps the other waiting.
//
// Deviations: processes are numbered 0 and 1 instead of 1 and 2, and q holds 0
// and 1. So both kinds of register can lie in one array.
type PetersonMutex struct {
	_        shm.NoCopy
	released bool
	q        [2]*register.Uint32
	turn     *register.Uint32
}

// NewPeterson returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewPeterson(n int, layout shm.Layout, stores shm.Stores) (*PetersonMutex, error) {
	return shm.New[*PetersonMutex](Peterson(layout, stores), n)
}

func buildPeterson(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &PetersonMutex{
		released: b.Released,
		q:        [2]*register.Uint32{r.At(0), r.At(1)},
		turn:     r.At(2),
	}
}

// Lock acquires the lock for process i.
func (l *PetersonMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.q[me].StoreReleaseIf(l.released, 1) // 1
	l.turn.Store(me)                      // 2
	spin.Until(func() bool {              // 3
		return l.q[other].Load() == 0 || l.turn.Load() == other
	})
}

// Unlock releases the lock for process i.
func (l *PetersonMutex) Unlock(i int) {
	l.q[i].StoreReleaseIf(l.released, 0) // 4
}
