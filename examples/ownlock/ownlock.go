// Package ownlock is a lock in a module of its own, tested, stressed, checked
// and measured by shmbench. Its entry section knows nothing of shmbench.
package ownlock

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"shmbench/shm"
)

// Lock is a spin lock that yields.
type Lock struct {
	_    shm.NoCopy
	busy atomic.Bool
}

// New returns a lock for n processes, or a *shm.ProcsError.
func New(n int) (*Lock, error) {
	if err := shm.CheckProcs("own/lock", n, 1, 64); err != nil {
		return nil, err
	}
	return new(Lock), nil
}

// Lock enters the critical section.
func (l *Lock) Lock(int) {
	for l.busy.Swap(true) {
		runtime.Gosched()
	}
}

// Unlock leaves it.
func (l *Lock) Unlock(int) { l.busy.Store(false) }

// Card says what the lock is and what it claims.
var Card = shm.Algorithm{
	Name:     "own/lock",
	Title:    "A spin lock that yields",
	Class:    shm.TestAndSet,
	MinProcs: 1,
	MaxProcs: 64,
	Claims:   shm.Claims{DeadlockFree: true},
	Space:    shm.Space{{Name: "busy", Count: shm.Const(1), Values: shm.Const(2)}},
	New:      func(n int) (shm.Mutex, error) { return New(n) },
	Invariants: []shm.Invariant{{Name: "busy", Holds: func(v shm.View) error {
		if v.Bool("busy") != (shm.In(v, shm.Critical) > 0) {
			return fmt.Errorf("busy = %v, processes inside: %d", v.Bool("busy"), shm.In(v, shm.Critical))
		}
		return nil
	}}},
}
