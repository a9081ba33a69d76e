// Package baseline holds the alternatives in a Go program to the locks of this module, behind
// the same contract, for comparison. It also holds the null lock, which shows the cost of a
// measurement itself.
package baseline

import (
	"sync"

	"shmbench/shm"
)

// Mutex is the specification of sync.Mutex.
var Mutex = shm.Algorithm{
	Name:  "baseline/mutex",
	Title: "sync.Mutex",
	Source: shm.Source{
		Author: "The Go Authors",
		Title:  "Package sync",
		Venue:  "Go standard library, internal/sync/mutex.go",
		Year:   2017,
	},
	Class:  shm.Opaque,
	Claims: shm.Claims{DeadlockFree: true},
	Space:  shm.Space{},
}.Built(shm.Padded, shm.Sequential, buildMutex)

// SyncMutex is sync.Mutex behind the contract. A process spins briefly and then sleeps in the
// Go scheduler. Arriving processes may pass sleeping ones until one of these has waited for a
// millisecond. Then the mutex is handed over in order, so that no sleeping process starves. The
// specification does not claim starvation freedom: a process joins the queue by a
// compare-and-swap, which others can make fail any number of times (knownbroken/go-mutex).
//
// Source: The Go Authors, package sync; starvation mode since Go 1.9, 2017.
type SyncMutex struct {
	_  shm.Pad
	mu sync.Mutex
	_  shm.Pad
}

// NewMutex returns a sync.Mutex for n processes, or a *shm.ProcsError.
func NewMutex(n int) (*SyncMutex, error) {
	return shm.New[*SyncMutex](Mutex, n)
}

func buildMutex(shm.Build) shm.Mutex { return new(SyncMutex) }

// Lock locks the mutex.
func (l *SyncMutex) Lock(int) { l.mu.Lock() }

// Unlock unlocks the mutex.
func (l *SyncMutex) Unlock(int) { l.mu.Unlock() }
