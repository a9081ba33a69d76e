// Package mutex shows what a lecture says of the mutex and of what happens
// without it: Ethan Blanton, Mutual Exclusion, CSE 486, "The Mutex", "Races",
// "Critical Sections" and "Deadlock". Each function builds something for
//
//	shmbench check ./examples/mutex:FUNCTION -procs 2
//
// to explore. A lock that is used as it should be is any lock of the catalog.
package mutex

import (
	"shmbench/locks/queue"
	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/tas"
)

// lockedTwice is a lock that each process locks again although it has locked it.
type lockedTwice struct{ shm.Mutex }

func (l *lockedTwice) Lock(i int) {
	l.Mutex.Lock(i)
	l.Mutex.Lock(i)
}

// unlockedTwice is a lock that each process unlocks, and then once more.
type unlockedTwice struct{ shm.Mutex }

func (l *unlockedTwice) Unlock(i int) {
	l.Mutex.Unlock(i)
	l.Mutex.Unlock(i)
}

// What the second call does, depends on the lock. Test-and-set waits for itself,
// forever; Peterson's lock for two writes what it has written.

// LockTwiceTAS locks a test-and-set lock again.
func LockTwiceTAS(n int) (shm.Mutex, error) {
	l, err := tas.NewTAS(n, shm.Sequential)
	return &lockedTwice{l}, err
}

// LockTwicePeterson locks Peterson's lock again.
func LockTwicePeterson(n int) (shm.Mutex, error) {
	l, err := peterson.NewPeterson(n, shm.Packed, shm.Sequential)
	return &lockedTwice{l}, err
}

// The second Unlock lets a third process into a test-and-set lock that another
// has locked in between, waits for a successor that never comes in an MCS lock,
// and does nothing to Peterson's.

// UnlockTwiceTAS unlocks a test-and-set lock again.
func UnlockTwiceTAS(n int) (shm.Mutex, error) {
	l, err := tas.NewTAS(n, shm.Sequential)
	return &unlockedTwice{l}, err
}

// UnlockTwicePeterson unlocks Peterson's lock again.
func UnlockTwicePeterson(n int) (shm.Mutex, error) {
	l, err := peterson.NewPeterson(n, shm.Packed, shm.Sequential)
	return &unlockedTwice{l}, err
}

// UnlockTwiceMCS unlocks an MCS lock again.
func UnlockTwiceMCS(n int) (shm.Mutex, error) {
	l, err := queue.NewMCS(n, shm.Packed, shm.Sequential)
	return &unlockedTwice{l}, err
}
