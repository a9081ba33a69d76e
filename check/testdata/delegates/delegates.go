// Package delegates has locks over delegates: right ones, and for each part of the contract
// one that breaks it.
package delegates

import (
	"sync/atomic"

	"shmbench/locks/delegation"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// bit is a test-and-set lock.
type bit struct{ busy atomic.Bool }

func (l *bit) Lock(int) {
	for l.busy.Swap(true) {
		spin.Pause()
	}
}

func (l *bit) Unlock(int) { l.busy.Store(false) }

// run is a delegate made of a function.
type run struct {
	bit
	execute func(l *bit, f func() uint64) uint64
}

func (d *run) Execute(_ int, f func() uint64) uint64 { return d.execute(&d.bit, f) }

func over(n int, execute func(l *bit, f func() uint64) uint64) *delegation.TicketMutex {
	return delegation.NewTicketMutex(n, &run{execute: execute})
}

// NewAdapted is right: each process runs its own request in a critical section.
func NewAdapted(n int) *delegation.TicketMutex {
	return delegation.NewTicketMutex(n, shm.Delegated(new(bit)))
}

// NewTwice runs each request twice.
func NewTwice(n int) *delegation.TicketMutex {
	return over(n, func(l *bit, f func() uint64) uint64 {
		l.Lock(0)
		f()
		result := f()
		l.Unlock(0)
		return result
	})
}

// NewLost runs no request of a process that finds the lock taken.
func NewLost(n int) *delegation.TicketMutex {
	return over(n, func(l *bit, f func() uint64) uint64 {
		if l.busy.Swap(true) {
			return 0
		}
		result := f()
		l.Unlock(0)
		return result
	})
}

// NewOther returns the result of the process before.
func NewOther(n int) *delegation.TicketMutex {
	last := uint64(0)
	return over(n, func(l *bit, f func() uint64) uint64 {
		l.Lock(0)
		result := last
		last = f()
		l.Unlock(0)
		return result
	})
}

// NewTogether runs requests at the same time.
func NewTogether(n int) *delegation.TicketMutex {
	return over(n, func(_ *bit, f func() uint64) uint64 { return f() })
}

// NewKeeps does not hand over.
func NewKeeps(n int) *delegation.TicketMutex {
	return over(n, func(l *bit, f func() uint64) uint64 {
		l.Lock(0)
		return f()
	})
}
