package byhand

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
	mutate(cas.TestFirst(shm.Sequential), "testfirst-stores", "who has seen nobody inside writes its id without comparing", Safety, 2,
		func(int) shm.Mutex { return new(testFirstStores) }).using(shm.ReadWrite),
	mutate(cas.TestFirst(shm.Sequential), "testfirst-exit-by-id", "the exit section compares with the id, which is written plus one, and swaps", Deadlock, 1,
		func(int) shm.Mutex { return new(testFirstExitByID) }),
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

// testFirstBase is the lock that tests first:
//
//	entry section of process i:
//	1  wait until owner = nobody
//	2  if compare-and-swap(owner, nobody, i) fails then goto 1
//	exit section:
//	3  owner := nobody
type testFirstBase struct{ casBase }

// await is line 1.
func (l *testFirstBase) await() {
	spin.Until(func() bool { return l.owner.Load() == 0 })
}

type testFirstStores struct{ testFirstBase }

func (l *testFirstStores) Lock(i int) {
	l.await() // 1
	l.owner.Store(uint32(i) + 1)
}

type testFirstExitByID struct{ testFirstBase }

func (l *testFirstExitByID) Lock(i int) {
	for l.await(); !l.owner.CompareAndSwap(0, uint32(i)+1); l.await() { // 1, 2
		spin.Pause()
	}
}

func (l *testFirstExitByID) Unlock(i int) { l.owner.CompareAndSwap(uint32(i), 0) }
