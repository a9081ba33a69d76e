// Package recoverable holds the recoverable locks. Their processes can crash at any point
// of a passage and come back: the registers stay, and the local variables are lost.
package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// own is the source of the locks that were constructed here.
func own(title string) shm.Source {
	return shm.Source{Author: "shmbench", Title: title, Venue: "constructed for this catalog; decided by check", Year: 2026}
}

// remote are remote memory references without a bound, in all models.
var remote = shm.References{WriteThrough: &shm.Formula{}, WriteBack: &shm.Formula{}, Distributed: &shm.Formula{}}

// RTAS returns the specification of the recoverable test-and-set lock.
func RTAS() shm.Algorithm {
	return shm.Algorithm{
		Name:   "recoverable/rtas",
		Title:  "Recoverable test-and-set, an owner word",
		Source: shm.Source{Author: "folklore", Title: "A lock word that names its owner", Venue: "program SimplestLockEver of the tests of JetBrains Lincheck", Year: 2021},
		Class:  shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree: true,
			Recovery:     &shm.Recovery{Reentry: shm.Const(1), Recover: shm.Const(1), Exit: shm.Const(1), References: remote},
		},
		Space: shm.Space{{Name: "owner", Count: shm.Const(1), Values: shm.NPlus1}},
	}.Built(shm.Padded, shm.Sequential, func(shm.Build) shm.Mutex { return new(RTASMutex) })
}

// RTASMutex is the owner word: the word that says that the lock is taken also says by which
// process.
//
// Source: folklore; program SimplestLockEver of the tests of JetBrains Lincheck.
//
// Registers: owner, a process or none, written by all.
//
// Properties: mutual exclusion and deadlock freedom, as in a test-and-set lock. Under
// crashes a process that crashed in its critical section finds its id in owner, and no
// other process enters before. A process can starve.
//
// There is no doorway: the first step is already the contest.
//
//	recover section of process i:
//	R1  if owner = i, process i is in its critical section
//	entry section:
//	E1  repeat until compare-and-swap(owner, none, i)
//	exit section:
//	X1  owner := none
//
// Deviations: none.
type RTASMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	owner register.Uint32 // the process and 1, or 0
	_     shm.Pad
}

// NewRTAS returns the lock for n processes, or a *shm.ProcsError.
func NewRTAS(n int) (*RTASMutex, error) { return shm.New[*RTASMutex](RTAS(), n) }

// Recover finds out where process i crashed.
func (l *RTASMutex) Recover(i int) shm.Outcome {
	if l.owner.Load() == uint32(i)+1 { // R1
		return shm.Inside
	}
	return shm.Enter
}

// Lock acquires the lock for process i.
func (l *RTASMutex) Lock(i int) {
	for !l.owner.CompareAndSwap(0, uint32(i)+1) { // E1
		spin.Pause()
	}
}

// Unlock releases the lock for any process.
func (l *RTASMutex) Unlock(int) {
	l.owner.Store(0) // X1
}
