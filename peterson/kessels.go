package peterson

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Kessels returns the specification of Kessels's two-process lock for a layout of its
// registers and for its stores.
func Kessels(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "peterson/kessels",
		Title: "Kessels's two-process lock",
		Source: shm.Source{
			Author: "Joep L. W. Kessels",
			Title:  "Arbitration Without Common Modifiable Variables",
			Venue:  "Acta Informatica 17(2)",
			Year:   1982,
			Page:   "135-141",
		},
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "q", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "r", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
		},
	}.Built(layout, stores, buildKessels)
}

// KesselsMutex is Peterson's lock with turn split into two bits, and each
// process writes one: turn is r[0] xor r[1].
//
// Source: Joep L. W. Kessels, "Arbitration Without Common Modifiable Variables",
// Acta Informatica 17(2), 1982, p. 135-141; the lock of two processes is on p. 137.
//
// Registers: q[i] and r[i], bits, written by process i and read by the other.
//
// Properties: mutual exclusion, because an interested process makes the bits of turn say that
// it was last: process 0 makes them equal and waits while they are equal, and process 1 makes
// them differ. If both write at once, after each has read the other's old bit, only one of the
// two relations holds, and only one process waits. First-come-first-served, and so
// starvation-free with a bypass of one. The reason is that a process that arrives after line 3
// of the other reads the bit that the other wrote there.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i:
//	1  q[i] := true
//	2  m := r[1-i] xor i
//	3  r[i] := m
//	4  wait until not q[1-i] or r[1-i] xor i != m
//	exit section of process i:
//	5  q[i] := false
//
// Released stores: line 5, which no access of the critical section can pass, and a late store
// only keeps the other waiting. Line 1 is not: line 2 reads the other's bit after it.
//
// Deviations: the bits have lower-case names here.
type KesselsMutex struct {
	_        shm.NoCopy
	released bool
	q, r     [2]*register.Uint32
}

// NewKessels returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewKessels(n int, layout shm.Layout, stores shm.Stores) (*KesselsMutex, error) {
	return shm.New[*KesselsMutex](Kessels(layout, stores), n)
}

func buildKessels(b shm.Build) shm.Mutex {
	a := shm.NewArray[register.Uint32](4, b.Layout)
	return &KesselsMutex{
		released: b.Released,
		q:        [2]*register.Uint32{a.At(0), a.At(1)},
		r:        [2]*register.Uint32{a.At(2), a.At(3)},
	}
}

// Lock acquires the lock for process i.
func (l *KesselsMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.q[me].Store(1)            // 1
	m := l.r[other].Load() ^ me // 2
	l.r[me].Store(m)            // 3
	spin.Until(func() bool {    // 4
		return l.q[other].Load() == 0 || l.r[other].Load()^me != m
	})
}

// Unlock releases the lock for process i.
func (l *KesselsMutex) Unlock(i int) {
	l.q[i].StoreReleaseIf(l.released, 0) // 5
}
