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
	Class:    shm.Opaque,
	MinProcs: 1,
	MaxProcs: shm.MaxProcs,
	Claims: shm.Claims{
		DeadlockFree:   true,
		StarvationFree: true,
		Mixed: shm.Mixed{
			DeadlockFree: true,
			Writers:      shm.Patient{StarvationFree: true},
			Readers:      shm.Patient{StarvationFree: true},
			Concurrent:   true,
		},
	},
	Space:  shm.Space{},
	Layout: shm.Padded,
	New:    func(n int) (shm.Mutex, error) { return NewRWMutex(n) },
}

// SyncRWMutex is sync.RWMutex behind the contract. Writers have a sync.Mutex
// among themselves; the one that has it keeps new readers out and waits for those
// that are inside, and lets all that have come meanwhile in when it leaves. Who
// waits sleeps in the Go scheduler.
//
// Source: The Go Authors, package sync.
type SyncRWMutex struct {
	_  shm.Pad
	mu sync.RWMutex
	_  shm.Pad
}

// NewRWMutex returns a sync.RWMutex for n processes, or a *shm.ProcsError.
func NewRWMutex(n int) (*SyncRWMutex, error) {
	if err := shm.CheckProcs("baseline/rwmutex", n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	return new(SyncRWMutex), nil
}

// Lock locks the mutex for writing.
func (l *SyncRWMutex) Lock(int) { l.mu.Lock() }

// Unlock unlocks the mutex for writing.
func (l *SyncRWMutex) Unlock(int) { l.mu.Unlock() }

// RLock locks the mutex for reading.
func (l *SyncRWMutex) RLock(int) { l.mu.RLock() }

// RUnlock unlocks the mutex for reading.
func (l *SyncRWMutex) RUnlock(int) { l.mu.RUnlock() }
