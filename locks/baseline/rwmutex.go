package baseline

import (
	"sync"

	"shmbench/shm"
)

// RWMutex is the specification of sync.RWMutex.
var RWMutex = shm.Algorithm{
	Name:  "baseline/rwmutex",
	Title: "sync.RWMutex",
	Source: shm.Source{
		Author: "The Go Authors",
		Title:  "Package sync",
		Venue:  "Go standard library, sync/rwmutex.go",
		Year:   2011,
	},
	Class: shm.Opaque,
	Claims: shm.Claims{
		DeadlockFree: true,
		Mixed:        shm.Mixed{DeadlockFree: true, Concurrent: true},
	},
	Space: shm.Space{},
}.Built(shm.Padded, shm.Sequential, buildRWMutex)

// SyncRWMutex is sync.RWMutex behind the contract. Writers have a sync.Mutex among
// themselves. The writer that holds it stops new readers and waits for the readers in their
// critical sections. When it leaves, it lets in all readers that arrived meanwhile. Waiting
// processes sleep in the Go scheduler. The specification does not claim starvation freedom. A
// writer can starve at the sync.Mutex. A reader that was woken can lose its permit to a reader
// that arrived after the next writer, and sleeps again.
//
// Source: The Go Authors, package sync.
type SyncRWMutex struct {
	_  shm.Pad
	mu sync.RWMutex
	_  shm.Pad
}

// NewRWMutex returns a sync.RWMutex for n processes, or a *shm.ProcsError.
func NewRWMutex(n int) (*SyncRWMutex, error) {
	return shm.New[*SyncRWMutex](RWMutex, n)
}

func buildRWMutex(shm.Build) shm.Mutex { return new(SyncRWMutex) }

// Lock locks the mutex for writing.
func (l *SyncRWMutex) Lock(int) { l.mu.Lock() }

// Unlock unlocks the mutex for writing.
func (l *SyncRWMutex) Unlock(int) { l.mu.Unlock() }

// RLock locks the mutex for reading.
func (l *SyncRWMutex) RLock(int) { l.mu.RLock() }

// RUnlock unlocks the mutex for reading.
func (l *SyncRWMutex) RUnlock(int) { l.mu.RUnlock() }
