package tas

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// TTAS returns the specification of the test-and-test-and-set lock for its stores.
func TTAS(stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "tas/ttas",
		Title:  "Test-and-test-and-set",
		Source: anderson,
		Class:  shm.TestAndSet,
		Claims: shm.Claims{DeadlockFree: true, Mixed: shm.Mixed{
			DeadlockFree: true, WaitFreeTry: true, StrongTry: true, WaitFreeAbort: true,
		}},
		Space:      shm.Space{{Name: "busy", Count: shm.Const(1), Values: shm.Const(2)}},
		Invariants: []shm.Invariant{busyInvariant},
	}.Built(shm.Padded, stores, buildTTAS)
}

// TTASMutex is the test-and-test-and-set lock: it waits by reading, which
// stays in the cache, and tries only when the bit has been seen clear.
//
// Source: Thomas E. Anderson, "The Performance of Spin Lock Alternatives for
// Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990, p. 6-16. The idea and the name are in
// Larry Rudolph and Zary Segall, "Dynamic Decentralized Cache Schemes for MIMD Parallel
// Processors", ISCA 1984, p. 340-347.
//
// Registers: busy, one bit, written by all.
//
// Properties: those of test-and-set: mutual exclusion and deadlock freedom; a
// process can starve.
//
// There is no doorway.
//
//	entry section:
//	1  wait until busy = false
//	2  if test-and-set(busy) = true then goto 1
//	exit section:
//	3  busy := false
//	try, which writes nothing unless it has seen the bit clear:
//	4  return busy = false and test-and-set(busy) = false
//	timed entry section:
//	5  wait until busy = false, or return false
//	6  if test-and-set(busy) = true then goto 5
//
// Released stores: line 3, which no access of the critical section can pass: if others see it
// late, they only wait longer.
//
// Deviations: none; lines 4 to 6 are folklore.
type TTASMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	busy     register.Bool
	_        shm.Pad
}

// NewTTAS returns a test-and-test-and-set lock for n processes, or a
// *shm.ProcsError.
func NewTTAS(n int, stores shm.Stores) (*TTASMutex, error) {
	return shm.New[*TTASMutex](TTAS(stores), n)
}

func buildTTAS(b shm.Build) shm.Mutex {
	return &TTASMutex{released: b.Released}
}

// Lock acquires the lock for any process.
func (l *TTASMutex) Lock(int) {
	for {
		spin.Until(func() bool { return !l.busy.Load() }) // 1
		if !l.busy.Swap(true) {                           // 2
			return
		}
		spin.Pause()
	}
}

// TryLock acquires the lock if no process holds it.
func (l *TTASMutex) TryLock(int) bool {
	return !l.busy.Load() && !l.busy.Swap(true) // 4
}

// LockUntil acquires the lock, or gives up after giveUp returns true.
func (l *TTASMutex) LockUntil(_ int, giveUp func() bool) bool {
	for {
		for l.busy.Load() { // 5
			if giveUp() {
				return false
			}
			spin.Pause()
		}
		if !l.busy.Swap(true) { // 6
			return true
		}
		spin.Pause()
	}
}

// Unlock releases the lock for any process.
func (l *TTASMutex) Unlock(int) {
	l.busy.StoreReleaseIf(l.released, false) // 3
}
