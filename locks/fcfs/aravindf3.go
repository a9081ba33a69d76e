package fcfs

import (
	"shmbench/locks/burns"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// AravindF3 returns the specification of the lock of Aravind's figure 3 over the one-bit lock,
// as published, for a layout and for its stores.
func AravindF3(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return over(burns.OneBit(layout, stores), shm.Algorithm{
		Name:   "fcfs/aravindf3",
		Title:  "Aravind's lock of two registers a process",
		Source: aravind13,
		Claims: served("4", shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Regular, StarvationFree: shm.Regular}),
		Space: shm.Space{
			{Name: "T", Count: shm.N, Values: shm.Const(4), SingleWriter: true},
		},
	}, layout, stores, buildAravindF3)
}

// AravindF3Mutex has a register for each process. It says whether the process waits,
// and for which of three turns. An arriving process waits for the turns that it saw. The inner
// lock's bit tells of its doorway too.
//
// Source: Alex A. Aravind, "Simple, space-efficient, and fairness improved FCFS
// mutual exclusion algorithms", Journal of Parallel and Distributed Computing 73(8),
// 2013, figure 3, p. 1033. The inner lock is the one-bit lock, burns.OneBit, as in AravindF3.c
// of github.com/pabuhr/concurrent-locking.
//
// Registers: T[i], 0 to 3, and x[i], a bit, the paper's D[i], written by process i
// and read by the others; x is the bit of the inner lock.
//
// Properties: those of Hesselink13Mutex, for the same reasons. A turn other than 0 corresponds
// to the bit that is shown. On safe registers two processes can deadlock: a process that reads
// T[i] during a write may copy the turn of a later passage.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i:
//	1  x[i] := true
//	2  for each j but i: S[j] := T[j]
//	3  T[i] := t
//	4  x[i] := false
//	5  for each j but i with S[j] ≠ 0: wait until T[j] ≠ S[j]
//	6  enter the inner lock
//	exit section:
//	7  leave the inner lock
//	8  T[i] := 0; t := t mod 3 + 1
//
// Released stores: line 3, which line 4, with its fence, takes to memory before
// anything is read again; line 8: if others see it late, they wait longer.
//
// Deviations: line 8 comes last, as in AravindF3.c, which says that it stands at the
// end of the entry section in the paper. It stands there in the suite's header
// FCFS_AR_BL.h, over Burns and Lynch's lock.
type AravindF3Mutex struct {
	_        shm.NoCopy
	released bool
	n        int
	T        shm.Array[register.Uint32]
	private  shm.Array[aravindF3Private] // private[i] is used by process i only
	S        []shm.Array[uint32]         // and so is S[i]
	inner    flagged
}

type aravindF3Private struct{ t uint32 }

// NewAravindF3 returns the lock for n processes, or a *shm.ProcsError.
func NewAravindF3(n int, layout shm.Layout, stores shm.Stores) (*AravindF3Mutex, error) {
	return shm.New[*AravindF3Mutex](AravindF3(layout, stores), n)
}

func buildAravindF3(b shm.Build, inner shm.Mutex) shm.Mutex {
	l := &AravindF3Mutex{
		released: b.Released,
		n:        b.N,
		T:        shm.NewArray[register.Uint32](b.N, b.Layout),
		private:  shm.NewArray[aravindF3Private](b.N, shm.Padded),
		S:        private[uint32](b.N),
		inner:    inner.(flagged),
	}
	for i := range b.N {
		l.private.At(i).t = 1
	}
	return l
}

// Lock acquires the lock for process i.
func (l *AravindF3Mutex) Lock(i int) {
	S := &l.S[i]
	l.inner.Flag(i).Store(true) // 1
	for j := range l.n {
		if j != i {
			*S.At(j) = l.T.At(j).Load() // 2
		}
	}
	l.T.At(i).StoreReleaseIf(l.released, l.private.At(i).t) // 3
	l.inner.Flag(i).Store(false)                            // 4
	for j := range l.n {
		if turn := *S.At(j); j != i && turn != 0 {
			spin.Until(func() bool { return l.T.At(j).Load() != turn }) // 5
		}
	}
	l.inner.Lock(i) // 6
}

// Unlock releases the lock for process i.
func (l *AravindF3Mutex) Unlock(i int) {
	l.inner.Unlock(i)                       // 7
	l.T.At(i).StoreReleaseIf(l.released, 0) // 8
	p := l.private.At(i)
	p.t = p.t%3 + 1 // 8
}
