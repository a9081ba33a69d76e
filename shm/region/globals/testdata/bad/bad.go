// Package bad has locks that use package-level variables.
package bad

import (
	"sync/atomic"

	"shmbench/shm/region/globals/testdata/bad/elsewhere"
	"shmbench/shm/spin"
)

var (
	busy   atomic.Bool
	owner  int
	nodes  = make([]int, 8)
	shared = new(atomic.Uint32)
)

// Direct uses variables in its methods.
type Direct struct{}

func (*Direct) Lock(i int) {
	spin.Until(func() bool { return busy.CompareAndSwap(false, true) })
	owner = i
}

func (*Direct) Unlock(int) { busy.Store(false) }

// Indirect uses variables in functions that its methods call.
type Indirect struct{}

func (l *Indirect) Lock(i int) { take(i) }

func (l *Indirect) Unlock(int) { give[int]() }

func take(i int) {
	nodes[i]++
	elsewhere.Take()
}

func give[T any]() { shared.Store(0) }
