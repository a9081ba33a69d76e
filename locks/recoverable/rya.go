package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RYA returns the specification of Yang and Anderson's two-process lock with a phase for
// each process.
func RYA() shm.Algorithm {
	return shm.Algorithm{
		Name:     "recoverable/rya",
		Title:    "Recoverable Yang and Anderson, two processes",
		Source:   own("Yang and Anderson's two-process lock with a phase for each process"),
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "E3",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Weakest:        shm.Weakest{DeadlockFree: shm.Regular, StarvationFree: shm.Regular},
			Recovery: &shm.Recovery{StarvationFree: true, StronglyStarvationFree: true, FCFS: true,
				Reentry: shm.Const(1), Recover: shm.Const(4), Exit: shm.Const(5), References: ryaReferences},
		},
		Space: shm.Space{
			{Name: "d", Count: shm.Const(2), Values: shm.Const(4), SingleWriter: true},
			{Name: "c", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "p", Count: shm.Const(2), Values: shm.Const(3), Own: true},
			{Name: "t", Count: shm.Const(1), Values: shm.Const(2)},
		},
	}.Built(shm.Padded, shm.Sequential, buildRYA)
}

// ryaReferences are the remote memory references of a passage under crashes.
var ryaReferences = shm.References{WriteThrough: new(shm.Const(19)), WriteBack: new(shm.Const(16)), Distributed: new(shm.Const(12))}

// leaving is the phase of a process in its exit section; the others are values of a flag.
const leaving = 3

// RYAMutex is the two-process lock at the nodes of Yang and Anderson's tree, with a phase
// for each process from which it recovers.
//
// Source: constructed for this catalog from J.-H. Yang and J. H. Anderson, "A Fast,
// Scalable Mutual Exclusion Algorithm", Distributed Computing 9, 1995, p. 51-60; decided by
// check. W. Golab and A. Ramaraju, "Recoverable mutual exclusion", PODC 2016, also extend
// that lock; their recover section was not seen.
//
// Registers: d[i], out, wants, inside or leaving, and c[i], a bit, both written by process
// i; t, an id, written by both; p[i], 0 to 2, written by both, on which process i waits.
//
// Properties: those of Yang and Anderson's lock, with local spinning in both memory models,
// also while the other process crashes again and again. A crash can lose a wake-up in two
// places. A process that crashed between lines X2 and X4 makes the wake-up good in lines R3
// to R5. A process that crashed in its entry section executes it again and can make the
// other one wait for its next exit; line R2 wakes the other first. A wake-up too many does
// no harm: line E4 erases it.
//
// The doorway is lines E1 to E3.
//
//	recover section of process i, with j = 1-i:
//	R1  if d[i] = inside, process i is in its critical section
//	R2  if d[i] = wants, p[j] := 2
//	R3  if d[i] = leaving, c[i] := 0
//	R4      if t ≠ i
//	R5          p[j] := 2
//	entry section:
//	E1  d[i] := wants
//	E2  c[i] := 1
//	E3  t := i
//	E4  p[i] := 0
//	E5  if c[j] = 1 and
//	E6          t = i
//	E7      if p[j] = 0
//	E8          p[j] := 1
//	E9      wait until p[i] ≥ 1
//	E10     if t = i
//	E11         wait until p[i] = 2
//	E12 d[i] := inside
//	exit section:
//	X1  d[i] := leaving
//	X2  c[i] := 0
//	X3  if t ≠ i
//	X4      p[j] := 2
//	X5  d[i] := out
//
// Deviations: c is a bit instead of an id, as both processes have their places.
type RYAMutex struct {
	_ shm.NoCopy
	d [2]*register.Uint32
	c [2]*register.Uint32
	p [2]*register.Uint32
	t *register.Uint32
}

// NewRYA returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewRYA(n int) (*RYAMutex, error) { return shm.New[*RYAMutex](RYA(), n) }

func buildRYA(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](7, b.Layout)
	pair := func(first int) [2]*register.Uint32 { return [2]*register.Uint32{r.At(first), r.At(first + 1)} }
	return &RYAMutex{d: pair(0), c: pair(2), p: pair(4), t: r.At(6)}
}

// Recover finds out where process i crashed.
func (l *RYAMutex) Recover(i int) shm.Outcome {
	j := 1 - i
	switch l.d[i].Load() { // R1
	case inside:
		return shm.Inside
	case wants:
		l.p[j].Store(2) // R2
	case leaving:
		l.c[i].Store(0)              // R3
		if l.t.Load() != uint32(i) { // R4
			l.p[j].Store(2) // R5
		}
	}
	return shm.Enter
}

// Lock acquires the lock for process i.
func (l *RYAMutex) Lock(i int) {
	me, j := uint32(i), 1-i
	l.d[i].Store(wants)                         // E1
	l.c[i].Store(1)                             // E2
	l.t.Store(me)                               // E3
	l.p[i].Store(0)                             // E4
	if l.c[j].Load() == 1 && l.t.Load() == me { // E5, E6
		if l.p[j].Load() == 0 { // E7
			l.p[j].Store(1) // E8
		}
		spin.Until(func() bool { return l.p[i].Load() >= 1 }) // E9
		if l.t.Load() == me {                                 // E10
			spin.Until(func() bool { return l.p[i].Load() == 2 }) // E11
		}
	}
	l.d[i].Store(inside) // E12
}

// Unlock releases the lock for process i.
func (l *RYAMutex) Unlock(i int) {
	j := 1 - i
	l.d[i].Store(leaving)        // X1
	l.c[i].Store(0)              // X2
	if l.t.Load() != uint32(i) { // X3
		l.p[j].Store(2) // X4
	}
	l.d[i].Store(out) // X5
}
