package peterson

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Filter returns the specification of Peterson's n-process filter for a layout of its
// registers and for its stores.
func Filter(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "peterson/filter",
		Title:  "Peterson's n-process filter",
		Source: myths,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.TwoProcs,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Regular},
		},
		Space: shm.Space{
			{Name: "q", Count: shm.N, Values: shm.N, SingleWriter: true},
			{Name: "turn", Count: shm.NMinus1, Values: shm.N},
		},
		Invariants: filterInvariants,
	}.Built(layout, stores, buildFilter)
}

// FilterMutex is Peterson's lock for n processes: at each of n-1 levels,
// the last to arrive is held back while any process is at its level or above.
//
// Source: Gary L. Peterson, "Myths About the Mutual Exclusion Problem",
// Information Processing Letters 12(3), 1981, p. 115-116.
//
// Registers: q[i], the level 0..n-1 that process i has reached, written by it
// and read by all; turn[j], the id that came last to level j, written and read
// by all, for j in 1..n-1.
//
// Properties: mutual exclusion, because at most n-j processes pass level j. Starvation-free,
// because the process held back at a level goes on when another takes its place. Waiting is
// not bounded for n > 2: while a process that may go on takes no step, two others can hold
// each other back and pass it in turns. There is no order of arrival either.
//
// The doorway is lines 2 and 3 of level 1, the only level for n = 2.
//
//	entry section of process i:
//	1  for j := 1 to n-1:
//	2      q[i] := j
//	3      turn[j] := i
//	4      wait until (for all k other than i: q[k] < j) or turn[j] is not i
//	exit section of process i:
//	5  q[i] := 0
//
// Released stores: line 2, at each level, because line 3 has a fence, which no store before it
// passes, and nothing is read in between; line 5, which no access of the critical section can
// pass: if others see line 5 late, they only wait longer.
//
// Deviations: processes are numbered from 0.
type FilterMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	q        shm.Array[register.Uint32]
	turn     shm.Array[register.Uint32] // turn[j] is at j-1
}

// NewFilter returns a filter for n processes, or a *shm.ProcsError.
func NewFilter(n int, layout shm.Layout, stores shm.Stores) (*FilterMutex, error) {
	return shm.New[*FilterMutex](Filter(layout, stores), n)
}

func buildFilter(b shm.Build) shm.Mutex {
	return &FilterMutex{
		released: b.Released,
		n:        b.N,
		q:        shm.NewArray[register.Uint32](b.N, b.Layout),
		turn:     shm.NewArray[register.Uint32](b.N-1, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *FilterMutex) Lock(i int) {
	for j := 1; j < l.n; j++ { // 1
		turn := l.turn.At(j - 1)
		l.q.At(i).StoreReleaseIf(l.released, uint32(j)) // 2
		turn.StoreFencedIf(l.released, uint32(i))       // 3
		spin.Until(func() bool {                        // 4
			return l.below(i, j) || turn.Load() != uint32(i)
		})
	}
}

// Unlock releases the lock for process i.
func (l *FilterMutex) Unlock(i int) {
	l.q.At(i).StoreReleaseIf(l.released, 0) // 5
}

// below reports whether every process other than i is below level j. It reads the registers
// one after another, up to the first one that is not.
func (l *FilterMutex) below(i, j int) bool {
	for k := range l.n {
		if k != i && l.q.At(k).Load() >= uint32(j) {
			return false
		}
	}
	return true
}
