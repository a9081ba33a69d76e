package shm

import "sync"

// Locker returns a sync.Locker that is process pid of m, for code that takes
// one and calls it from one goroutine at a time. A sync.Cond does not: all that
// wait on it lock its Locker. It needs Pooled, as do goroutines without ids.
func Locker(m Mutex, pid int) sync.Locker { return &locker{m, pid} }

type locker struct {
	m   Mutex
	pid int
}

func (l *locker) Lock()   { l.m.Lock(l.pid) }
func (l *locker) Unlock() { l.m.Unlock(l.pid) }
