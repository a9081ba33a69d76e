package numa

import (
	"slices"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var fissileLocks = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "Fissile Locks",
	Venue:  "8th International Conference on Networked Systems (NETYS)",
	Year:   2020,
}

// Fissile makes the fissile lock over a CNA lock. The process that has the CNA lock tries
// the outer lock Patience times, 0 or more, before it asks for a handoff.
type Fissile struct {
	CNA      CNA
	Patience int
}

// Patience is the Patience of the lock of the catalog.
const Patience = 4

// Spec returns the specification of the lock for a layout of its registers and for its stores.
func (f Fissile) Spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	inner := f.CNA.Spec(layout, stores)
	return shm.Algorithm{
		Name:          "numa/fissile",
		Title:         "Fissile lock, test-and-set before CNA",
		Source:        fissileLocks,
		Reconstructed: true,
		Class:         shm.Swap | shm.CompareAndSwap,
		Claims:        shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: slices.Concat(shm.Space{
			{Name: "outer", Count: shm.Const(1), Values: shm.Const(3)},
			{Name: "impatient", Count: shm.Const(1), Values: shm.Const(2)},
		}, inner.Space),
	}.BuiltOver(inner, layout, stores, f.build)
}

// FissileMutex is the fissile lock: a process that finds the outer test-and-set lock free
// takes it. The others queue up in a CNA lock, and only the process that has the CNA lock
// tries the outer lock again.
//
// Source: Dave Dice and Alex Kogan, "Fissile Locks", NETYS 2020, arXiv 2003.05025. Only the
// abstract was read: a test-and-set lock as fast path, a CNA lock as slow path, and a bypass
// that a parameter bounds. The lines are reconstructed from secondary sources.
//
// Registers: outer, which is 0 (free), 1 (held) or 2 (reserved for the process that has the
// inner lock), changed by all; impatient, 0 or 2, written by the process that has the inner
// lock; those of the inner lock.
//
// Properties: mutual exclusion, because a process enters only by a step that changes outer
// from 0 or 2 to 1. Then outer is 1 until that process leaves. No process starves: the
// inner lock is starvation-free, and the process that has it announces itself on line 4.
// The holder then leaves outer at 2, which no process on line 1 can take. At most one
// holder that read impatient before line 4, and one process that entered behind it, come
// first. Before line 4, and in the inner lock, a process can be passed any number of times:
// the bypass is unbounded in steps of others, and there is no order.
//
// There is no doorway.
//
//	entry section of process i:
//	1  if compare-and-swap(outer, 0, 1) succeeds then enter
//	2  enter the inner lock
//	3  at most patience times: if compare-and-swap(outer, 0, 1) succeeds then goto 7
//	4  impatient := 2
//	5  repeat v := swap(outer, 1) until v is not 1
//	6  impatient := 0
//	7  leave the inner lock
//	exit section:
//	8  v := impatient
//	9  outer := v
//
// Released stores: line 4, which line 5 takes to memory; line 6, which reaches memory before
// the stores of line 7 and before the process's own line 9; line 9, which no access of the
// critical section can follow; those of the inner lock.
//
// Deviations: the paper bounds the time of line 3, and this lock bounds the number of
// tries. On a machine of one node the inner lock is MCS.
type FissileMutex struct {
	_         shm.NoCopy
	released  bool
	patience  int
	outer     *register.Uint32
	impatient *register.Uint32
	inner     shm.Mutex
}

// The values of outer.
const (
	outerFree     = 0
	outerHeld     = 1
	outerReserved = 2
)

// New returns the lock for n processes, or a *shm.ProcsError.
func (f Fissile) New(n int, layout shm.Layout, stores shm.Stores) (*FissileMutex, error) {
	return shm.New[*FissileMutex](f.Spec(layout, stores), n)
}

func (f Fissile) build(b shm.Build, inner shm.Mutex) shm.Mutex {
	r := shm.NewArray[register.Uint32](2, b.Layout)
	return &FissileMutex{released: b.Released, patience: f.Patience, outer: r.At(0), impatient: r.At(1), inner: inner}
}

// Lock acquires the lock for process i.
func (l *FissileMutex) Lock(i int) {
	if l.outer.CompareAndSwap(outerFree, outerHeld) { // 1
		return
	}
	l.inner.Lock(i) // 2
	if !l.tried() {
		l.impatient.StoreReleaseIf(l.released, outerReserved) // 4
		for l.outer.Swap(outerHeld) == outerHeld {            // 5
			spin.Pause()
		}
		l.impatient.StoreReleaseIf(l.released, outerFree) // 6
	}
	l.inner.Unlock(i) // 7
}

// tried is line 3; it reports whether the process has the outer lock.
func (l *FissileMutex) tried() bool {
	for range l.patience {
		if l.outer.CompareAndSwap(outerFree, outerHeld) { // 3
			return true
		}
		spin.Pause()
	}
	return false
}

// Unlock releases the lock.
func (l *FissileMutex) Unlock(int) {
	v := l.impatient.Load()               // 8
	l.outer.StoreReleaseIf(l.released, v) // 9
}
