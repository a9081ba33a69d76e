// Package broken has a lock that does not exclude.
package broken

import "sync/atomic"

// Lock tests and then sets, which are two accesses.
type Lock struct{ busy atomic.Bool }

// New returns the lock.
func New(n int) *Lock { return new(Lock) }

// Lock is the entry section.
func (l *Lock) Lock(pid int) {
	for l.busy.Load() { // 1
	}
	l.busy.Store(true) // 2
}

// Unlock is the exit section.
func (l *Lock) Unlock(pid int) {
	l.busy.Store(false) // 3
}
