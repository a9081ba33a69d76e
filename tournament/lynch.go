package tournament

import (
	"math/bits"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// levels is the number of levels of the complete tree.
var levels = shm.Formula{Text: "ceil(log2 n)", At: func(n int) int { return bits.Len(uint(n - 1)) }}

// Lynch returns the specification of Lynch's tournament for a layout of its registers and for
// its stores.
func Lynch(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "tournament/lynch",
		Title: "Lynch's tournament",
		Source: shm.Source{
			Author: "Nancy A. Lynch",
			Title:  "Distributed Algorithms",
			Venue:  "Morgan Kaufmann, section 10.5.3",
			Year:   1996,
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.TwoProcs,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Regular},
		},
		Space: shm.Space{
			{Name: "flag", Count: shm.N, Values: shm.Formula{Text: "ceil(log2 n)+1", At: func(n int) int { return levels.Of(n) + 1 }}, SingleWriter: true},
			{Name: "turn", Count: Complete(2).perNode(1), Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildLynch)
}

// LynchMutex is a tournament of Peterson's locks in which a process has one flag for all
// nodes: the level at which it competes. At each node it looks at all processes that may come
// from the other side.
//
// Source: Nancy A. Lynch, "Distributed Algorithms", Morgan Kaufmann, 1996, section
// 10.5.3; after Lynch.c (github.com/pabuhr/concurrent-locking), which says that the
// book has parts of it in prose.
//
// Registers: flag[i], the level 0..k at which process i competes, k = ceil(log2 n),
// written by it and read by all; turn[v], for each node, the side that came last,
// written and read by both sides.
//
// Properties: mutual exclusion as in Peterson's lock: at a node, the one of two processes
// whose side wrote turn last waits while the other's flag is at that level or above.
// Starvation-free, because the winner of a level enters in the end, and its exit section
// lowers its flag for all levels at once. Waiting is not bounded for n > 2, and there is no
// order of arrival: the others do not see a process whose flag is at a lower level.
//
// The doorway is lines 1 and 2 of the first level.
//
//	entry section of process i:
//	   for k := 1 to ceil(log2 n), v being the node of level k above i, role the side
//	   of v on which i is:
//	1      flag[i] := k
//	2      turn[v] := role
//	3      for each process j on the other side of v:
//	           wait until flag[j] < k or turn[v] != role
//	exit section of process i:
//	4  flag[i] := 0
//
// Released stores: line 1, at each level, because line 2 has a fence, which no store before it
// passes, and nothing is read in between; line 4, which leaves the critical section, so that a
// late store is a late exit.
//
// Deviations: processes and sides are numbered from 0. The book waits for all processes of the
// other side together. Here a process waits for one after the other, as in Lynch.c.
type LynchMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	flag     shm.Array[register.Uint32]
	turn     shm.Array[register.Uint32] // turn[v], v >= 1, the root being 1
}

// NewLynch returns the tournament for n processes, or a *shm.ProcsError.
func NewLynch(n int, layout shm.Layout, stores shm.Stores) (*LynchMutex, error) {
	return shm.New[*LynchMutex](Lynch(layout, stores), n)
}

func buildLynch(b shm.Build) shm.Mutex {
	return &LynchMutex{
		released: b.Released,
		n:        b.N,
		flag:     shm.NewArray[register.Uint32](b.N, b.Layout),
		turn:     shm.NewArray[register.Uint32](Complete(2).inner(b.N)+1, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *LynchMutex) Lock(i int) {
	for v, k := l.turn.Len()+i, 1; v > 1; v, k = v/2, k+1 {
		turn, role := l.turn.At(v/2), uint32(v%2)
		l.flag.At(i).StoreReleaseIf(l.released, uint32(k)) // 1
		turn.StoreFencedIf(l.released, role)               // 2
		first, end := across(i, k, l.n)
		for j := first; j < end; j++ { // 3
			spin.Until(func() bool {
				return l.flag.At(j).Load() < uint32(k) || turn.Load() != role
			})
		}
	}
}

// Unlock releases the lock for process i.
func (l *LynchMutex) Unlock(i int) {
	l.flag.At(i).StoreReleaseIf(l.released, 0) // 4
}

// across returns the first of the processes on the other side of the node of level k
// above process i, of n, and one more than the last.
func across(i, k, n int) (first, end int) {
	first = (i>>(k-1) ^ 1) << (k - 1)
	return first, min(first+1<<(k-1), n)
}
