package mutants

import (
	"sync/atomic"

	"shmbench/cas"
	"shmbench/shm"
	"shmbench/spin"
)

var compareAndSwaps = []Mutant{
	mutate(cas.CAS(shm.Sequential), "cas-compare-then-store", "the comparison and the swap are two steps", Safety, 2,
		func(int) shm.Mutex { return new(casCompareThenStore) }).using(shm.ReadWrite),
	mutate(cas.CAS(shm.Sequential), "cas-steals", "the comparison is with whoever is inside, not with nobody", Safety, 2,
		func(int) shm.Mutex { return new(casSteals) }),
	mutate(cas.CAS(shm.Sequential), "cas-exit-by-cas", "the exit section compares and swaps instead of writing", Equivalent, 1,
		func(int) shm.Mutex { return new(casExitByCAS) }),
}

// casBase is the compare-and-swap lock:
//
//	entry section of process i:
//	1  repeat until compare-and-swap(owner, nobody, i) succeeds
//	exit section:
//	2  owner := nobody
type casBase struct{ owner atomic.Uint32 } // 0 for nobody or an id plus one

func (l *casBase) Lock(i int) {
	for !l.owner.CompareAndSwap(0, uint32(i)+1) { // 1
		spin.Pause()
	}
}

func (l *casBase) Unlock(int) {
	l.owner.Store(0) // 2
}

type casCompareThenStore struct{ casBase }

func (l *casCompareThenStore) Lock(i int) {
	spin.Until(func() bool { return l.owner.Load() == 0 })
	l.owner.Store(uint32(i) + 1)
}

type casSteals struct{ casBase }

func (l *casSteals) Lock(i int) {
	for !l.owner.CompareAndSwap(l.owner.Load(), uint32(i)+1) {
		spin.Pause()
	}
}

type casExitByCAS struct{ casBase }

func (l *casExitByCAS) Unlock(i int) { l.owner.CompareAndSwap(uint32(i)+1, 0) }
