package peterson

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var efficient = shm.Source{
	Author: "Karen Block and Tai-Kuo Woo",
	Title:  "A More Efficient Generalization of Peterson's Mutual Exclusion Algorithm",
	Venue:  "Information Processing Letters 35(5)",
	Year:   1990,
	Page:   "219-222",
}

// BlockWoo returns the specification of Block and Woo's filter for a layout of its registers
// and for its stores.
func BlockWoo(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:          "peterson/blockwoo",
		Title:         "Block and Woo's filter",
		Source:        efficient,
		Reconstructed: true,
		Class:         shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "n(n-1)/2", At: func(n int) int { return n * (n - 1) / 2 }},
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Regular},
		},
		Space: shm.Space{
			{Name: "q", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.NMinus1, Values: shm.N},
		},
	}.Built(layout, stores, buildBlockWoo)
}

// BlockWooMutex is the filter with a bit for each process instead of its level. A process at a
// level enters at once if it counts no more bits than that level lets through.
//
// Source: Karen Block, Tai-Kuo Woo, "A More Efficient Generalization of Peterson's
// Mutual Exclusion Algorithm", Information Processing Letters 35(5), 1990, p. 219-222.
// The paper was not seen: this follows the account of K. Alagarsamy, "A mutual exclusion
// algorithm with optimally bounded bypasses", Information Processing Letters 96(1),
// 2005, and keeps all that is claimed there.
//
// Registers: q[i], a bit, written by process i and read by all; turn[j], the id that
// came last to level j, written and read by all, for j in 1..n-1.
//
// Properties: mutual exclusion, because each level that a process has passed by line 3 holds
// one process back. So if a process counts at most j bits at level j, no process is ahead of
// it. Starvation-free, because the process held back at a level goes on when another takes its
// place. The bypass is n(n-1)/2, as Alagarsamy says. The filter has no bound, because there a
// process between two levels does not show that it has reached the next. If t processes want
// to enter, no process goes through more than t levels.
//
// The doorway is line 1 and line 2 of level 1.
//
//	entry section of process i:
//	1  q[i] := 1
//	   for j := 1 to n-1:
//	2      turn[j] := i
//	3      wait until turn[j] is not i,
//	4          or q[k] = 1 for at most j processes k; then enter at once
//	exit section of process i:
//	5  q[i] := 0
//
// Released stores: line 1, which line 2, with its fence, takes to memory before anything is
// read; line 5, which no access of the critical section can pass. If others see line 5 late,
// they only wait longer.
//
// Deviations: processes are numbered from 0.
type BlockWooMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	q        shm.Array[register.Bool]
	turn     shm.Array[atomic.Uint32] // turn[j] is at j-1
}

// NewBlockWoo returns the lock for n processes, or a *shm.ProcsError.
func NewBlockWoo(n int, layout shm.Layout, stores shm.Stores) (*BlockWooMutex, error) {
	return shm.New[*BlockWooMutex](BlockWoo(layout, stores), n)
}

func buildBlockWoo(b shm.Build) shm.Mutex {
	return &BlockWooMutex{
		released: b.Released,
		n:        b.N,
		q:        shm.NewArray[register.Bool](b.N, b.Layout),
		turn:     shm.NewArray[atomic.Uint32](b.N-1, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *BlockWooMutex) Lock(i int) {
	l.q.At(i).StoreReleaseIf(l.released, true) // 1
	for j := 1; j < l.n; j++ {
		turn := l.turn.At(j - 1)
		turn.Store(uint32(i)) // 2
		freed := false
		spin.Until(func() bool {
			freed = turn.Load() != uint32(i) // 3
			return freed || l.few(i, j)      // 4
		})
		if !freed {
			return
		}
	}
}

// few reports whether at most j processes have q set, including process i.
func (l *BlockWooMutex) few(i, j int) bool {
	for k := range l.n { // 4
		if k != i && l.q.At(k).Load() {
			if j--; j == 0 {
				return false
			}
		}
	}
	return true
}

// Unlock releases the lock for process i.
func (l *BlockWooMutex) Unlock(i int) {
	l.q.At(i).StoreReleaseIf(l.released, false) // 5
}
