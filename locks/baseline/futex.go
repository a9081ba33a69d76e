package baseline

import (
	"shmbench/shm"
	"shmbench/shm/futex"
)

// Futex returns the specification of the three-state futex mutex.
func Futex() shm.Algorithm {
	return shm.Algorithm{
		Name:  "baseline/futex",
		Title: "Three-state futex mutex",
		Source: shm.Source{
			Author: "Ulrich Drepper",
			Title:  "Futexes Are Tricky",
			Venue:  "Red Hat",
			Year:   2011,
		},
		Simplified: futex.Missing,
		Class:      shm.CompareAndSwap | shm.Swap | shm.Futex,
		Claims:     shm.Claims{DeadlockFree: true},
		Space:      shm.Space{{Name: "state", Count: shm.Const(1), Values: shm.Const(3)}},
	}.Built(shm.Padded, shm.Sequential, buildFutex)
}

// The states of a FutexMutex.
const (
	unlocked  uint32 = 0
	locked    uint32 = 1 // and no process sleeps
	contended uint32 = 2 // and a process may sleep
)

// FutexMutex is the mutex of a C library: one word, and a system call only if a process has to
// sleep or to be woken.
//
// Source: Ulrich Drepper, "Futexes Are Tricky", 2011: its third mutex, mutex3. The second one,
// mutex2, has a compare-and-swap in place of each swap.
//
// Registers: state, one of unlocked, locked and contended, written by all.
//
// Properties: mutual exclusion and deadlock freedom, because a process that may sleep
// has left the state contended, so that the next exit section wakes a process.
// A process can starve: a newcomer may enter before a process that was woken.
//
// There is no doorway.
//
//	entry section:
//	1  if compare-and-swap(state, unlocked, locked) succeeds then enter
//	2  while swap(state, contended) is not unlocked:
//	3      sleep while state = contended
//	exit section:
//	4  if swap(state, unlocked) = contended then
//	5      wake one
//
// Deviations: in the paper, a process that finds the state contended on line 1 sleeps before its
// first swap. The paper's line 4 is an atomic decrement and, if that was not enough, a store. The
// checker has a model of the futex (package futex).
type FutexMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	state futex.Word
	_     shm.Pad
}

// NewFutex returns a futex mutex for n processes, or a *shm.ProcsError.
func NewFutex(n int) (*FutexMutex, error) {
	return shm.New[*FutexMutex](Futex(), n)
}

func buildFutex(shm.Build) shm.Mutex {
	l := new(FutexMutex)
	l.state.Init()
	return l
}

// Lock acquires the lock for process i.
func (l *FutexMutex) Lock(i int) {
	if l.state.CompareAndSwap(unlocked, locked) { // 1
		return
	}
	for l.state.Swap(contended) != unlocked { // 2
		l.state.Wait(i, contended) // 3
	}
}

// Unlock releases the lock for process i.
func (l *FutexMutex) Unlock(i int) {
	if l.state.Swap(unlocked) == contended { // 4
		l.state.Wake(i) // 5
	}
}
