package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RBakery returns the specification of the recoverable bakery.
func RBakery() shm.Algorithm {
	return rbakery("recoverable/rbakery", "Recoverable bakery", shm.Space{
		{Name: "choosing", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		{Name: "number", Count: shm.N, SingleWriter: true},
	}, false, &shm.Recovery{StarvationFree: true, StronglyStarvationFree: true, FCFS: true, StronglyFCFS: true,
		Recover: shm.Const(1), Exit: shm.Const(1), References: remote})
}

// RBakeryInside returns the specification of the recoverable bakery with bounded re-entry.
func RBakeryInside() shm.Algorithm {
	return rbakery("recoverable/rbakeryinside", "Recoverable bakery with bounded re-entry", shm.Space{
		{Name: "choosing", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		{Name: "number", Count: shm.N, SingleWriter: true},
		{Name: "inside", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
	}, true, &shm.Recovery{StarvationFree: true, StronglyStarvationFree: true, FCFS: true, StronglyFCFS: true,
		Reentry: shm.Const(1), Recover: shm.Const(1), Exit: shm.Const(2), References: remote})
}

func rbakery(name, title string, space shm.Space, marked bool, recovery *shm.Recovery) shm.Algorithm {
	return shm.Algorithm{
		Name:   name,
		Title:  title,
		Source: own("Lamport's bakery, whose processes keep their numbers in a crash"),
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "E4",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
			Recovery:       recovery,
		},
		Space: space,
	}.Built(shm.Padded, shm.Sequential, func(b shm.Build) shm.Mutex { return buildRBakery(b, marked) })
}

// RBakeryMutex is the bakery, in which a process that has crashed keeps its number.
//
// Source: constructed for this catalog from Leslie Lamport, "A New Solution of Dijkstra's
// Concurrent Programming Problem", Communications of the ACM 17(8), 1974, p. 453-455;
// decided by check. Lamport's own lock survives another kind of crash, which resets the
// registers of the process.
//
// Registers: choosing[i], a bit, number[i], an unbounded integer, and with bounded re-entry
// inside[i], a bit, all written by process i and read by all.
//
// Properties: those of the bakery. Under crashes a process that crashed in its critical
// section still has the least number, and all others wait. It then waits for the other
// processes' choosing, so re-entry is not bounded by its own steps. With inside it is.
//
// The doorway is lines E1 to E4.
//
//	recover section of process i, with bounded re-entry only:
//	R1  if inside[i], process i is in its critical section
//	entry section:
//	E1  k := number[i]; if k ≠ 0 go to E5
//	E2  choosing[i] := true
//	E3  k := 1 + max(number[0], ..., number[n-1])
//	E4  number[i] := k
//	E5  choosing[i] := false
//	E6  for j := 0 to n-1, except i:
//	E7      wait until choosing[j] = false
//	E8      wait until number[j] = 0 or (number[j], j) > (k, i)
//	E9  inside[i] := true, with bounded re-entry only
//	exit section:
//	X1  inside[i] := false, with bounded re-entry only
//	X2  number[i] := 0
//
// Deviations: number is a 64-bit word, as in the bakery.
type RBakeryMutex struct {
	_        shm.NoCopy
	n        int
	marked   bool // re-entry is bounded
	choosing shm.Array[register.Bool]
	number   shm.Array[register.Uint64]
	inside   shm.Array[register.Bool]
}

// NewRBakery returns a recoverable bakery for n processes, or a *shm.ProcsError.
func NewRBakery(n int) (*RBakeryMutex, error) { return shm.New[*RBakeryMutex](RBakery(), n) }

// NewRBakeryInside returns a recoverable bakery with bounded re-entry for n processes, or a
// *shm.ProcsError.
func NewRBakeryInside(n int) (*RBakeryMutex, error) {
	return shm.New[*RBakeryMutex](RBakeryInside(), n)
}

func buildRBakery(b shm.Build, marked bool) shm.Mutex {
	return &RBakeryMutex{
		n:        b.N,
		marked:   marked,
		choosing: shm.NewArray[register.Bool](b.N, b.Layout),
		number:   shm.NewArray[register.Uint64](b.N, b.Layout),
		inside:   shm.NewArray[register.Bool](b.N, b.Layout),
	}
}

// Recover finds out where process i crashed.
func (l *RBakeryMutex) Recover(i int) shm.Outcome {
	if l.marked && l.inside.At(i).Load() { // R1
		return shm.Inside
	}
	return shm.Enter
}

// Lock acquires the lock for process i.
func (l *RBakeryMutex) Lock(i int) {
	k := l.number.At(i).Load() // E1
	if k == 0 {
		l.choosing.At(i).Store(true) // E2
		k = 1 + l.max()              // E3
		l.number.At(i).Store(k)      // E4
	}
	l.choosing.At(i).Store(false) // E5
	for j := range l.n {          // E6
		if j == i {
			continue
		}
		spin.Until(func() bool { return !l.choosing.At(j).Load() }) // E7
		spin.Until(func() bool {                                    // E8
			other := l.number.At(j).Load()
			return other == 0 || other > k || other == k && j > i
		})
	}
	if l.marked {
		l.inside.At(i).Store(true) // E9
	}
}

// Unlock releases the lock for process i.
func (l *RBakeryMutex) Unlock(i int) {
	if l.marked {
		l.inside.At(i).Store(false) // X1
	}
	l.number.At(i).Store(0) // X2
}

// max returns the largest number, reading the registers one after another.
func (l *RBakeryMutex) max() uint64 {
	var m uint64
	for j := range l.n {
		m = max(m, l.number.At(j).Load())
	}
	return m
}
