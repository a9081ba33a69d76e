// Package ownlock is a lock in a module of its own. shmbench tests it, checks every
// interleaving of it, stresses and measures it. Replace the lock with your own, and
// make Spec say what is true of yours: each claim is checked.
package ownlock

import (
	"fmt"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

const (
	name     = "ownlock/ownlock"
	maxProcs = 64
)

// Spec is the specification of the lock. A claim must be exact: one that is weaker
// than the truth is as wrong as one that is stronger.
var Spec = shm.Algorithm{
	// Name identifies the lock in tables and result files.
	Name: name,
	// Title says in a few words what the lock is, and Source where it was published.
	Title:  "Test-and-set lock",
	Source: shm.Source{Author: "Thomas E. Anderson", Title: "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors", Venue: "IEEE Transactions on Parallel and Distributed Systems 1(1)", Year: 1990, Page: "6-16"},
	// Class is the operations on shared memory that Lock and Unlock make, beside loads
	// and stores. A lock that makes no other is of class shm.ReadWrite.
	Class: shm.TestAndSet,
	// New builds the lock for MinProcs to MaxProcs processes.
	MinProcs: 1,
	MaxProcs: maxProcs,
	// Claims are the properties of Lock and Unlock beside mutual exclusion, which every
	// lock claims:
	//   - DeadlockFree: while processes try to enter, some process enters.
	//   - StarvationFree: each process that tries to enter does so.
	//   - FCFS: processes enter in the order in which they end their doorways.
	//   - Doorway: the label of the last line of the doorway, "2" for a line that ends
	//     with the comment "// 2". The doorway is the first part of Lock, without waits.
	//   - Bypass: how often others can enter between the end of a process's doorway and
	//     its own entry: shm.NMinus1, shm.Const(3). Without it there is no bound.
	//   - LocalSpin: a process waits with a bounded number of remote memory references,
	//     with coherent caches or with distributed memory: shm.LocalSpin{CC: true, DSM: true}.
	//   - Weakest: the weakest registers on which a lock of loads and stores works.
	Claims: shm.Claims{DeadlockFree: true},
	// Space lists the shared variables by the names of their fields: how many there are
	// for n processes, and how many values each can have.
	Space: shm.Space{{Name: "busy", Count: shm.Const(1), Values: shm.Const(2)}},
	// Invariants must hold in every state while processes call Lock and Unlock. They
	// read the shared variables by name. A lock need not have any.
	Invariants: []shm.Invariant{{Name: "busy", Holds: func(v shm.View) error {
		busy, inside := v.Bool("busy"), shm.In(v, shm.Critical)
		if busy != (inside > 0) {
			return fmt.Errorf("busy is %v, and %d processes are in their critical sections", busy, inside)
		}
		return nil
	}}},
	New: func(n int) (shm.Mutex, error) { return New(n) },
}

// Mutex is a test-and-set lock: the process that changes busy from false to true enters.
type Mutex struct {
	_    shm.NoCopy // go vet reports copies of the lock
	busy atomic.Bool
}

// New returns a lock for n processes, or a *shm.ProcsError.
func New(n int) (*Mutex, error) {
	if err := shm.CheckProcs(name, n, 1, maxProcs); err != nil {
		return nil, err
	}
	return new(Mutex), nil
}

// Lock acquires the lock for process pid, a number from 0 to n-1.
func (l *Mutex) Lock(pid int) {
	for l.busy.Swap(true) { // 1
		spin.Pause() // in every loop that waits
	}
}

// Unlock releases the lock.
func (l *Mutex) Unlock(pid int) {
	l.busy.Store(false) // 2
}
