// Package mylock has two locks of a user: one is correct, the other has a data
// race.
package mylock

import (
	"runtime"
	"sync/atomic"

	"shmbench/shm"
)

type ticket struct{ next, serving atomic.Uint32 }

func (l *ticket) Lock(int) {
	for mine := l.next.Add(1) - 1; l.serving.Load() != mine; {
		runtime.Gosched()
	}
}

func (l *ticket) Unlock(int) { l.serving.Add(1) }

type plain struct{ busy bool }

func (l *plain) Lock(int) {
	for l.busy {
		runtime.Gosched()
	}
	l.busy = true
}

func (l *plain) Unlock(int) { l.busy = false }

// Ticket is correct.
var Ticket = specification("my/ticket", func() shm.Mutex { return new(ticket) })

// Plain tests a plain word and then sets it.
var Plain = specification("my/plain", func() shm.Mutex { return new(plain) })

func specification(name string, lock func() shm.Mutex) shm.Algorithm {
	return shm.Algorithm{
		Name: name, MinProcs: 1, MaxProcs: 64, Claims: shm.Claims{DeadlockFree: true},
		New: func(n int) (shm.Mutex, error) { return lock(), shm.CheckProcs(name, n, 1, 64) },
	}
}
