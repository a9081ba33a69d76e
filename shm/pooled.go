package shm

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Pooled returns a sync.Locker of m, a lock for n processes, for any number of goroutines,
// which need no ids. Lock borrows one of the ids 0 to n-1, the holder keeps it, and Unlock
// returns it. While no id is free, goroutines are parked, and get ids in the order of their
// arrival. As with sync.Mutex, another goroutine than the one that locked may unlock, and
// Unlock panics while no process holds the lock. Do not use m in any other way.
//
// Lock and Unlock stop allocating once the number of waiting goroutines has reached its
// maximum.
func Pooled(m Mutex, n int) sync.Locker {
	if n < 1 {
		panic(fmt.Sprintf("shm: Pooled(m, %d): a pool has 1 id or more", n))
	}
	p := &pool{m: m, holder: nobody, free: make([]int, n)}
	p.spare.Store(none)
	for i := range p.free {
		p.free[i] = n - 1 - i
	}
	return p
}

const nobody = -1

// What pool.spare can be beside an id.
const (
	none   = -1
	closed = -2
)

type pool struct {
	_      NoCopy
	m      Mutex
	holder int // the process in its critical section, or no process; guarded by m

	// spare is an id that is free, for a process that comes without taking mu. It is none
	// while there is no such id, and closed while a process waits, so that
	// no process overtakes.
	spare atomic.Int64

	mu          sync.Mutex
	free        []int     // the other ids that are free
	first, last *borrower // those that wait for an id, the oldest first
	idle        *borrower // those that do not wait any more, to be used again
}

type borrower struct {
	id   chan int
	next *borrower
}

func (p *pool) Lock() {
	id := p.borrow()
	p.m.Lock(id)
	p.holder = id
}

func (p *pool) Unlock() {
	id := p.holder
	if id == nobody {
		panic("shm: Unlock of a pooled lock that no process holds")
	}
	p.holder = nobody
	p.m.Unlock(id)
	p.giveBack(id)
}

// borrow returns an id that no other process has.
func (p *pool) borrow() int {
	if id := p.spare.Load(); id >= 0 && p.spare.CompareAndSwap(id, none) {
		return int(id)
	}
	p.mu.Lock()
	if last := len(p.free) - 1; last >= 0 {
		id := p.free[last]
		p.free = p.free[:last]
		p.mu.Unlock()
		return id
	}
	if id := p.spare.Swap(closed); id >= 0 {
		p.spare.Store(none)
		p.mu.Unlock()
		return int(id)
	}
	b := p.enqueue()
	p.mu.Unlock()
	id := <-b.id
	p.mu.Lock()
	b.next, p.idle = p.idle, b
	p.mu.Unlock()
	return id
}

// enqueue puts a borrower at the end of those that wait. The caller holds mu.
func (p *pool) enqueue() *borrower {
	b := p.idle
	if b == nil {
		b = &borrower{id: make(chan int, 1)}
	} else {
		p.idle, b.next = b.next, nil
	}
	if p.first == nil {
		p.first = b
	} else {
		p.last.next = b
	}
	p.last = b
	return b
}

// giveBack hands id to the oldest borrower, or keeps it for the next.
func (p *pool) giveBack(id int) {
	if p.spare.CompareAndSwap(none, int64(id)) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.first
	if b == nil {
		p.free = append(p.free, id)
		return
	}
	if p.first = b.next; p.first == nil {
		p.spare.Store(none)
	}
	b.id <- id
}
