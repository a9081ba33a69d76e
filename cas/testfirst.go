package cas

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// TestFirst returns the specification of the compare-and-swap lock that reads before it tries,
// for its stores.
func TestFirst(stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:       "cas/testfirst",
		Title:      "Compare-and-swap spin lock, test first",
		Source:     folklore,
		Class:      shm.CompareAndSwap,
		Claims:     shm.Claims{DeadlockFree: true},
		Space:      shm.Space{{Name: "owner", Count: shm.Const(1), Values: shm.NPlus1}},
		Invariants: []shm.Invariant{ownerInvariant},
	}.Built(shm.Padded, stores, buildTestFirst)
}

// TestFirstMutex is the compare-and-swap lock that waits by reading and tries only when it has
// seen no owner.
//
// Source: folklore, after the Compare and Swap instruction of the IBM
// System/370, 1973.
//
// Registers: owner, 0 for no process or an id plus one, written by all.
//
// Properties: those of the plain lock: mutual exclusion and deadlock freedom;
// a process can starve.
//
// There is no doorway.
//
//	entry section of process i:
//	1  wait until owner = no process
//	2  if compare-and-swap(owner, no process, i) fails then goto 1
//	exit section:
//	3  owner := no process
//
// Released stores: line 3, which no access of the critical section can pass. If others see
// this store late, they only wait longer.
//
// Deviations: none.
type TestFirstMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	owner    register.Uint32
	_        shm.Pad
}

// NewTestFirst returns the lock for n processes, or a *shm.ProcsError.
func NewTestFirst(n int, stores shm.Stores) (*TestFirstMutex, error) {
	return shm.New[*TestFirstMutex](TestFirst(stores), n)
}

func buildTestFirst(b shm.Build) shm.Mutex {
	return &TestFirstMutex{released: b.Released}
}

// Lock acquires the lock for process i.
func (l *TestFirstMutex) Lock(i int) {
	for {
		spin.Until(func() bool { return l.owner.Load() == nobody }) // 1
		if l.owner.CompareAndSwap(nobody, uint32(i)+1) {            // 2
			return
		}
		spin.Pause()
	}
}

// Unlock releases the lock for any process.
func (l *TestFirstMutex) Unlock(int) {
	l.owner.StoreReleaseIf(l.released, nobody) // 3
}
