package rw

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// PhaseFair returns the specification of the phase-fair ticket lock for a layout of its
// registers and for its stores.
func PhaseFair(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "rw/phasefair",
		Title: "Phase-fair ticket lock, PF-T",
		Source: shm.Source{
			Author: "Björn B. Brandenburg and James H. Anderson",
			Title:  "Spin-Based Reader-Writer Synchronization for Multiprocessor Real-Time Systems",
			Venue:  "Real-Time Systems 46(1)",
			Year:   2010,
			Page:   "25-87",
		},
		Class: shm.FetchAndAdd | shm.FetchAndOr,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "4",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed: shm.Mixed{
				DeadlockFree: true,
				Writers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "4"},
				Readers:      shm.Patient{StarvationFree: true, Bypass: shm.Const(1), Doorway: "1"},
				Concurrent:   true,
			},
		},
		Space: shm.Space{
			{Name: "rin", Count: shm.Const(1)},
			{Name: "rout", Count: shm.Const(1)},
			{Name: "win", Count: shm.Const(1)},
			{Name: "wout", Count: shm.Const(1)},
		},
	}.Built(layout, stores, buildPhaseFair)
}

// PhaseFairMutex is the phase-fair ticket lock. If readers and writers wait, all waiting
// readers enter, then one writer, and so on in turns.
//
// Source: Björn B. Brandenburg and James H. Anderson, "Spin-Based Reader-Writer
// Synchronization for Multiprocessor Real-Time Systems", Real-Time Systems 46(1), 2010, p.
// 25-87, after ECRTS 2009, p. 184-193. Written after include/ck_pflock.h of Concurrency Kit.
//
// Registers: rin, the number of readers that have arrived, incremented by readers, with two
// bits that the first writer sets and clears: PRES, that a writer is present, and PHID, the
// parity of its ticket; rout, the number of readers that have left, incremented by readers;
// win and wout, tickets of writers, incremented by writers.
//
// Properties: line 6 of a writer counts the readers that arrived before its bits, and line 7
// waits for them. Later readers see the bits and wait. The bits change with each writer, so a
// reader waits for one writer only: the next writer sets other bits, and waits for this
// reader. Tickets make writers first-come-first-served, and each writer waits for one phase of
// readers. No process starves.
//
// A reader's doorway is line 1, a writer's line 4.
//
//	reader's entry section:
//	1  w := fetch-and-add(rin, RINC) and (PRES | PHID)
//	2  if w is not 0 then wait until rin and (PRES | PHID) is not w
//	reader's exit section:
//	3  fetch-and-add(rout, RINC)
//	writer's entry section:
//	4  t := fetch-and-increment(win)
//	5  wait until wout = t
//	6  r := fetch-and-add(rin, PRES | (t and PHID))
//	7  wait until rout = r
//	writer's exit section:
//	8  fetch-and-and(rin, not (PRES | PHID))
//	9  wout := wout + 1
//
// Released stores: line 9, before which line 8 has let readers in. Waiting writers read the
// register, and wait longer until the store is visible. The writer in its critical section
// also reads it, and has seen the last value.
//
// Deviations: line 9 is a store, because only the leaving writer makes it. The counters have
// 32 bits and wrap around, rin and rout at the same count, which is harmless for fewer than
// 2^30 processes.
type PhaseFairMutex struct {
	_                    shm.NoCopy
	released             bool
	rin, rout, win, wout *register.Uint32
}

// The parts of PhaseFairMutex.rin.
const (
	phid = 1
	pres = 2
	rinc = 4
)

// NewPhaseFair returns a phase-fair ticket lock for n processes, or a
// *shm.ProcsError.
func NewPhaseFair(n int, layout shm.Layout, stores shm.Stores) (*PhaseFairMutex, error) {
	return shm.New[*PhaseFairMutex](PhaseFair(layout, stores), n)
}

func buildPhaseFair(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](4, b.Layout)
	return &PhaseFairMutex{released: b.Released, rin: r.At(0), rout: r.At(1), win: r.At(2), wout: r.At(3)}
}

// RLock acquires the lock for any reader.
func (l *PhaseFairMutex) RLock(int) {
	w := l.rin.Add(rinc) & (pres | phid) // 1
	if w != 0 {
		spin.Until(func() bool { return l.rin.Load()&(pres|phid) != w }) // 2
	}
}

// RUnlock releases the lock for any reader.
func (l *PhaseFairMutex) RUnlock(int) {
	l.rout.Add(rinc) // 3
}

// Lock acquires the lock for any writer.
func (l *PhaseFairMutex) Lock(int) {
	t := l.win.Add(1) - 1                                 // 4
	spin.Until(func() bool { return l.wout.Load() == t }) // 5
	bits := pres | t&phid
	r := l.rin.Add(bits) - bits                           // 6
	spin.Until(func() bool { return l.rout.Load() == r }) // 7
}

// Unlock releases the lock for any writer.
func (l *PhaseFairMutex) Unlock(int) {
	l.rin.And(^uint32(pres | phid))                    // 8
	l.wout.StoreReleaseIf(l.released, l.wout.Load()+1) // 9
}
