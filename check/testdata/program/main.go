// Program has a lock in a package main, whose constructor is not exported.
package main

import (
	"slices"
	"sync/atomic"
)

type lock struct {
	busy   atomic.Bool
	owners []int
}

func newLock(n int) *lock { return &lock{owners: make([]int, 2)} }

func (l *lock) Lock(pid int) {
	for l.busy.Swap(true) {
	}
	l.owners[0], l.owners[1] = pid, l.owners[0]
}

func (l *lock) Unlock(int) { l.busy.Store(false) }

// searching finds out plainly, in the standard library, what it guards.
type searching struct{ lock }

func newSearching(n int) *searching { return &searching{lock{owners: make([]int, 2)}} }

func (l *searching) Unlock(pid int) {
	if slices.Index(l.owners, pid) != 0 {
		panic("not the owner")
	}
	l.busy.Store(false)
}

func main() {
	l := newLock(1)
	l.Lock(0)
	l.Unlock(0)
	newSearching(1).Lock(0)
}
