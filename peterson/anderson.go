package peterson

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Anderson returns the specification of Anderson's fine-grained two-process lock for a layout
// of its registers and for its stores.
func Anderson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "peterson/anderson",
		Title: "Anderson's fine-grained two-process lock",
		Source: shm.Source{
			Author: "James H. Anderson",
			Title:  "A fine-grained solution to the mutual exclusion problem",
			Venue:  "Acta Informatica 30(3)",
			Year:   1993,
			Page:   "249-265",
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
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "p", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "q", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "t", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
		},
	}.Built(layout, stores, buildAnderson)
}

// AndersonMutex is Kessels's lock in which a process raises one of two bits, which says which
// turn it found. So the other process waits for a single bit to be up.
//
// Source: James H. Anderson, "A fine-grained solution to the mutual exclusion
// problem", Acta Informatica 30(3), 1993, p. 249-265, fig. 2, as it is in
// examples/academic/non-atomic_registers/models/Anderson.mcrl2 of
// github.com/mCRL2org/mCRL2; the paper was not read.
//
// Registers: p[i], q[i] and t[i], bits, written by process i and read by the other.
// p[i] and q[i] are up while process i does not compete.
//
// Properties: mutual exclusion, because process 0 makes t[0] and t[1] equal and process 1
// makes them different. So they tell which process was last, as in KesselsMutex. If both
// compete, process 0 finds the bit up that it waits for if they differ, and process 1 if they
// are equal. First-come-first-served, and so starvation-free with a bypass of one. The reason
// is that a process that arrives after line 4 of the other reads what the other wrote there.
// All of that also holds on safe registers: a bit that a process waits for stays up in the
// end, until the process has entered.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i:
//	1  p[i] := false
//	2  q[i] := false
//	3  u := t[1-i] xor i
//	4  t[i] := u
//	5  if i = 0: if u then p[0] := true else q[0] := true
//	   if i = 1: if u then q[1] := true else p[1] := true
//	6  if u then wait until p[1-i] else wait until q[1-i]
//	exit section of process i:
//	7  p[i] := true
//	8  q[i] := true
//
// Released stores: line 1, because line 2 has a fence, which no store before it passes; line
// 5, because only the other waits for it; lines 7 and 8, which no access of the critical
// section can pass, and a late store only keeps the other waiting.
//
// Deviations: the registers have lower-case names here. In the paper line 6 is one atomic
// statement for each process, with one register, and not a loop.
type AndersonMutex struct {
	_        shm.NoCopy
	released bool
	p, q, t  [2]*register.Uint32
}

// NewAnderson returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewAnderson(n int, layout shm.Layout, stores shm.Stores) (*AndersonMutex, error) {
	return shm.New[*AndersonMutex](Anderson(layout, stores), n)
}

func buildAnderson(b shm.Build) shm.Mutex {
	a := shm.NewArray[register.Uint32](6, b.Layout)
	l := &AndersonMutex{
		released: b.Released,
		p:        [2]*register.Uint32{a.At(0), a.At(1)},
		q:        [2]*register.Uint32{a.At(2), a.At(3)},
		t:        [2]*register.Uint32{a.At(4), a.At(5)},
	}
	for i := range 2 {
		l.p[i].Store(1)
		l.q[i].Store(1)
	}
	return l
}

// Lock acquires the lock for process i.
func (l *AndersonMutex) Lock(i int) {
	other := 1 - i
	l.p[i].StoreReleaseIf(l.released, 0) // 1
	l.q[i].Store(0)                      // 2
	u := l.t[other].Load() ^ uint32(i)   // 3
	l.t[i].Store(u)                      // 4
	mine, theirs := l.q[i], l.q[other]
	if u != 0 {
		theirs = l.p[other]
	}
	if u != uint32(i) {
		mine = l.p[i]
	}
	mine.StoreReleaseIf(l.released, 1)                    // 5
	spin.Until(func() bool { return theirs.Load() != 0 }) // 6
}

// Unlock releases the lock for process i.
func (l *AndersonMutex) Unlock(i int) {
	l.p[i].StoreReleaseIf(l.released, 1) // 7
	l.q[i].StoreReleaseIf(l.released, 1) // 8
}
