package tournament

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// PetersonFischer returns the specification of Peterson and Fischer's tree for a layout of its
// registers.
func PetersonFischer(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:  "tournament/petersonfischer",
		Title: "Peterson and Fischer's tree of one register a process",
		Source: shm.Source{
			Author: "Gary L. Peterson and Michael J. Fischer",
			Title:  "Economical Solutions for the Critical Section Problem in a Distributed System",
			Venue:  "Proceedings of the 9th ACM Symposium on Theory of Computing (STOC)",
			Year:   1977,
			Page:   "93",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.TwoProcs,
			Doorway:        "4",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "q", Count: shm.N, Values: shm.Formula{Text: "2ceil(log2 n)+1", At: func(n int) int { return 2*levels.Of(n) + 1 }}, SingleWriter: true},
		},
	}.Built(layout, shm.Sequential, buildPetersonFischer)
}

// PetersonFischerMutex is a tournament in which a process has one register for all nodes, with
// the level at which it competes, and a bit. At each node, one side tries to make its bit
// equal to that of the other side, and waits while they are equal. The other side tries to
// make them differ, and waits while they differ.
//
// Source: Gary L. Peterson and Michael J. Fischer, "Economical Solutions for the
// Critical Section Problem in a Distributed System", STOC 1977, p. 91-97; after
// PetersonT.c (github.com/pabuhr/concurrent-locking), which cites p. 93.
//
// Registers: q[i], a level 0..k, k = ceil(log2 n), and a bit, at first (0, 0),
// written by process i and read by all.
//
// Properties: mutual exclusion, because if the winners of both sides of a node are there,
// one of them finds the relation for which it waits. A process at a higher level has won
// the node. Starvation-free, because the winner of a level enters in the end and leaves all
// levels at once. Waiting is not bounded for n > 2, and there is no order of arrival: the
// others do not see a process at a lower level. For two processes the lock is
// peterson.PetersonFischerMutex.
//
// The doorway is lines 1 to 4 of the first level.
//
//	entry section of process i:
//	   for k := 1 to ceil(log2 n), side being the side on which i is there,
//	   rival() the first q[j] at level k or above of the processes j on the other side,
//	   or else (0, 0):
//	1      (level, bit) := rival()
//	2      q[i] := (k, bit xor side) if level = k, else (k, 1)
//	3      (level, bit) := rival()
//	4      if level = k then q[i] := (k, bit xor side)
//	5      wait until, for (level, bit) = rival(), level < k,
//	       or level = k and q[i] is not (k, bit xor side)
//	exit section of process i:
//	6  q[i] := (0, 0)
//
// Released stores: none can be. Lines 2 and 4 stand before a look at the other side,
// and so does line 6: line 1 of the next passage reads what line 2 writes.
//
// Deviations: a level and a bit are one number, twice the level plus the bit.
type PetersonFischerMutex struct {
	_       shm.NoCopy
	early   bool // line 6 has no fence
	n, tops int
	q       shm.Array[register.Uint32]
}

// NewPetersonFischer returns the tree for n processes, or a *shm.ProcsError. With
// released stores it is wrong on a memory with store buffers: its exit section, which
// is all that they concern, then has no fence.
func NewPetersonFischer(n int, layout shm.Layout, exit shm.Stores) (*PetersonFischerMutex, error) {
	return shm.New[*PetersonFischerMutex](PetersonFischer(layout).Built(layout, exit, buildPetersonFischer), n)
}

func buildPetersonFischer(b shm.Build) shm.Mutex {
	return &PetersonFischerMutex{
		early: b.Released,
		n:     b.N,
		tops:  levels.Of(b.N),
		q:     shm.NewArray[register.Uint32](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *PetersonFischerMutex) Lock(i int) {
	for k := 1; k <= l.tops; k++ {
		base, side := uint32(2*k), uint32(i>>(k-1))&1
		q := base + 1
		if rival := l.rival(i, k); rival/2 == uint32(k) { // 1
			q = rival ^ side
		}
		l.q.At(i).Store(q)                                // 2
		if rival := l.rival(i, k); rival/2 == uint32(k) { // 3
			q = rival ^ side
			l.q.At(i).Store(q) // 4
		}
		spin.Until(func() bool { // 5
			rival := l.rival(i, k)
			return rival < base || rival < base+2 && q != rival^side
		})
	}
}

// Unlock releases the lock for process i.
func (l *PetersonFischerMutex) Unlock(i int) {
	l.q.At(i).StoreReleaseIf(l.early, 0) // 6
}

// rival reads the registers of the other side of the node of level k above process i
// in the order of their ids, and returns the first that is at level k or above, 0 if
// none is.
func (l *PetersonFischerMutex) rival(i, k int) uint32 {
	first, end := across(i, k, l.n)
	for j := first; j < end; j++ {
		if q := l.q.At(j).Load(); q >= uint32(2*k) {
			return q
		}
	}
	return 0
}
