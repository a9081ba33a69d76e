// Package tokens has a lock for two processes that park on tokens, for the check of
// package futex.
package tokens

import (
	"sync/atomic"

	"shmbench/shm/futex"
)

// Mutex gives the lock to the other process if that is waiting.
type Mutex struct {
	waiting atomic.Int32 // processes in the entry, critical and exit section
	token   [2]futex.Token
	early   bool
}

// New returns the lock for two processes.
func New(int) *Mutex {
	l := new(Mutex)
	for i := range l.token {
		l.token[i].Init()
	}
	return l
}

// NewUnprepared returns a wrong lock: a process prepares its token after the other can
// see it.
func NewUnprepared(int) *Mutex {
	l := New(2)
	l.early = true
	return l
}

// Lock acquires the lock for process i.
func (l *Mutex) Lock(i int) {
	if !l.early {
		l.token[i].Prepare()
	}
	if l.waiting.Add(1) == 1 {
		return
	}
	if l.early {
		l.token[i].Prepare()
	}
	l.token[i].Park(i)
}

// Unlock releases the lock for process i.
func (l *Mutex) Unlock(i int) {
	if l.waiting.Add(-1) != 0 {
		l.token[1-i].Unpark(i)
	}
}
