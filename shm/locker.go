package shm

import "sync"

// Locker returns a sync.Locker for process pid of m, for code that calls it from one goroutine
// at a time. Use Pooled for a sync.Cond, whose waiting goroutines all lock its Locker, and for
// goroutines without ids.
func Locker(m Mutex, pid int) sync.Locker { return &locker{m, pid} }

type locker struct {
	m   Mutex
	pid int
}

func (l *locker) Lock()   { l.m.Lock(l.pid) }
func (l *locker) Unlock() { l.m.Unlock(l.pid) }
