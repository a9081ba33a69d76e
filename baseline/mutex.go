// Package baseline holds what a Go program would use instead of the locks of
// this module, behind the same contract, for comparison; and the null lock,
// which shows what a measurement costs by itself.
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
		Year:   2016,
	},
	Class:  shm.Opaque,
	Claims: shm.Claims{DeadlockFree: true, StarvationFree: true},
	Space:  shm.Space{},
}.Built(shm.Padded, shm.Sequential, buildMutex)

// SyncMutex is sync.Mutex behind the contract. It spins briefly and then
// sleeps in the Go scheduler; newcomers may pass those who sleep, until one
// has waited for a millisecond and the lock is handed over in order, which is
// what keeps everybody from starving.
//
// Source: The Go Authors, package sync; starvation mode since Go 1.9.
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
