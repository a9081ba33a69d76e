// Package tas holds the test-and-set family: locks of one bit for any number of processes.
// They are fast when uncontended, and any process can starve.
package tas

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var anderson = shm.Source{
	Author: "Thomas E. Anderson",
	Title:  "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors",
	Venue:  "IEEE Transactions on Parallel and Distributed Systems 1(1)",
	Year:   1990,
	Page:   "6-16",
}

// TAS returns the specification of the test-and-set lock for its stores.
func TAS(stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:       "tas/tas",
		Title:      "Test-and-set",
		Source:     anderson,
		Class:      shm.TestAndSet,
		Claims:     shm.Claims{DeadlockFree: true, Mixed: shm.Mixed{DeadlockFree: true, WaitFreeTry: true, StrongTry: true}},
		Space:      shm.Space{{Name: "busy", Count: shm.Const(1), Values: shm.Const(2)}},
		Invariants: []shm.Invariant{busyInvariant},
	}.Built(shm.Padded, stores, buildTAS)
}

// TASMutex is the test-and-set lock: a process enters when it changes the bit from false to
// true.
//
// Source: Thomas E. Anderson, "The Performance of Spin Lock Alternatives for
// Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990, p. 6-16.
//
// Registers: busy, one bit, written by all.
//
// Properties: mutual exclusion and deadlock freedom, because between two resets exactly one
// test-and-set returns false. A process can starve: the lock does not record the order of
// arrival.
//
// There is no doorway: the first step is already the contest.
//
//	entry section:
//	1  repeat until test-and-set(busy) = false
//	exit section:
//	2  busy := false
//	try, in one look and with no wait:
//	3  return test-and-set(busy) = false
//
// Released stores: line 2, which no access of the critical section can pass: if others see it
// late, they only wait longer.
//
// Deviations: none; line 3 is folklore.
type TASMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	busy     register.Bool
	_        shm.Pad
}

// NewTAS returns a test-and-set lock for n processes, or a *shm.ProcsError.
func NewTAS(n int, stores shm.Stores) (*TASMutex, error) {
	return shm.New[*TASMutex](TAS(stores), n)
}

func buildTAS(b shm.Build) shm.Mutex {
	return &TASMutex{released: b.Released}
}

// Lock acquires the lock for any process.
func (l *TASMutex) Lock(int) {
	for l.busy.Swap(true) { // 1
		spin.Pause()
	}
}

// TryLock acquires the lock if no process holds it.
func (l *TASMutex) TryLock(int) bool {
	return !l.busy.Swap(true) // 3
}

// Unlock releases the lock for any process.
func (l *TASMutex) Unlock(int) {
	l.busy.StoreReleaseIf(l.released, false) // 2
}

// busyInvariant: the bit is set if and only if a process is in its critical section.
var busyInvariant = shm.Invariant{Name: "busy", Source: anderson, Holds: func(v shm.View) error {
	inside := shm.In(v, shm.Critical)
	if busy := v.Bool("busy"); busy != (inside > 0) {
		return fmt.Errorf("busy = %v, processes in their critical sections: %d", busy, inside)
	}
	return nil
}}
