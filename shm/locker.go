package shm

import "sync"

// Locker returns a sync.Locker that is process pid of m, for code that takes
// one. It must not be used by two goroutines at once.
func Locker(m Mutex, pid int) sync.Locker { return &locker{m, pid} }

type locker struct {
	m   Mutex
	pid int
}

func (l *locker) Lock()   { l.m.Lock(l.pid) }
func (l *locker) Unlock() { l.m.Unlock(l.pid) }
