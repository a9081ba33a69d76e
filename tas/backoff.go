package tas

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Backoff returns the specification of test-and-test-and-set with bounded exponential backoff
// for its stores.
func Backoff(stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:       "tas/backoff",
		Title:      "Test-and-test-and-set with bounded exponential backoff",
		Source:     anderson,
		Class:      shm.TestAndSet,
		Claims:     shm.Claims{DeadlockFree: true},
		Space:      shm.Space{{Name: "busy", Count: shm.Const(1), Values: shm.Const(2)}},
		Invariants: []shm.Invariant{busyInvariant},
	}.Built(shm.Padded, stores, buildBackoff)
}

// The least and the most pauses after a lost contest.
const (
	leastDelay = 1
	mostDelay  = 64
)

// BackoffMutex is test-and-test-and-set with backoff: a process that has lost a contest
// pauses, each time twice as long, up to a bound. So fewer processes compete when the bit
// clears.
//
// Source: Thomas E. Anderson, "The Performance of Spin Lock Alternatives for
// Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990, p. 6-16.
//
// Registers: busy, one bit, written by all.
//
// Properties: mutual exclusion and deadlock freedom, as in test-and-set. A process can starve,
// and more easily the longer its pauses have become.
//
// There is no doorway.
//
//	entry section:
//	1  delay := leastDelay
//	2  wait until busy = false
//	3  if test-and-set(busy) = false then enter
//	4  pause delay times
//	5  delay := min(2*delay, mostDelay), goto 2
//	exit section:
//	6  busy := false
//
// Released stores: line 6, which no access of the critical section can pass: if others see it
// late, they only wait longer.
//
// Deviations: the paper draws the delay at random; here it is the bound
// itself, and the randomness is that of the machine.
type BackoffMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	busy     register.Bool
	_        shm.Pad
}

// NewBackoff returns the lock for n processes, or a *shm.ProcsError.
func NewBackoff(n int, stores shm.Stores) (*BackoffMutex, error) {
	return shm.New[*BackoffMutex](Backoff(stores), n)
}

func buildBackoff(b shm.Build) shm.Mutex {
	return &BackoffMutex{released: b.Released}
}

// Lock acquires the lock for any process.
func (l *BackoffMutex) Lock(int) {
	delay := leastDelay // 1
	for {
		spin.Until(func() bool { return !l.busy.Load() }) // 2
		if !l.busy.Swap(true) {                           // 3
			return
		}
		for range delay { // 4
			spin.Pause()
		}
		delay = min(2*delay, mostDelay) // 5
	}
}

// Unlock releases the lock for any process.
func (l *BackoffMutex) Unlock(int) {
	l.busy.StoreReleaseIf(l.released, false) // 6
}
