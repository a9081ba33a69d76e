// Package lemmas has broken locks. Each breaks an invariant of a lock of the catalog
// that no mutant breaks.
package lemmas

import (
	"sync/atomic"

	"shmbench/shm/spin"
)

// Backoff is test-and-test-and-set with backoff in which a process that stayed away
// goes in without another test.
type Backoff struct{ busy atomic.Bool }

func NewBackoff(int) *Backoff { return new(Backoff) }

func (l *Backoff) Lock(int) {
	spin.Until(func() bool { return !l.busy.Load() }) // 2
	if l.busy.Swap(true) {                            // 3
		spin.Pause() // 4
	}
}

func (l *Backoff) Unlock(int) { l.busy.Store(false) } // 6

// Asymmetric is the two-process lock with process 0 always first, in which
// process 1 goes back to line 2, with want set, instead of line 1.
type Asymmetric struct{ want [2]atomic.Uint32 }

func NewAsymmetric(int) *Asymmetric { return new(Asymmetric) }

func (l *Asymmetric) Lock(i int) {
	if i == 0 {
		l.want[0].Store(1)                                       // 3
		spin.Until(func() bool { return l.want[1].Load() == 0 }) // 6
		return
	}
	l.want[1].Store(0) // 1
	for {
		spin.Until(func() bool { return l.want[0].Load() == 0 }) // 2
		l.want[1].Store(1)                                       // 3
		if l.want[0].Load() == 0 {                               // 5
			return
		}
		spin.Pause()
	}
}

func (l *Asymmetric) Unlock(i int) { l.want[i].Store(0) } // 8

// Priority is the two-process lock with priority in which a process goes back to
// line 2, with want set, instead of line 1.
type Priority struct {
	want     [2]atomic.Uint32
	priority atomic.Uint32
}

func NewPriority(int) *Priority { return new(Priority) }

func (l *Priority) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.want[me].Store(0) // 1
	for {
		spin.Until(func() bool { // 2
			return l.want[other].Load() == 0 || l.priority.Load() == me
		})
		l.want[me].Store(1)             // 3
		if l.priority.Load() != other { // 4
			spin.Until(func() bool { return l.want[other].Load() == 0 }) // 6
			return
		}
		if l.want[other].Load() == 0 { // 5
			return
		}
		spin.Pause()
	}
}

func (l *Priority) Unlock(i int) {
	l.priority.Store(uint32(1 - i)) // 7
	l.want[i].Store(0)              // 8
}

// Twice is a test-and-set lock whose lines 2 and 3 do the same.
type Twice struct{ busy atomic.Bool }

func NewTwice(int) *Twice { return new(Twice) }

func (l *Twice) Lock(int) {
	if !l.busy.Swap(true) { // 1
		return
	}
	for {
		if !l.busy.Swap(true) { // 2
			return
		}
		if !l.busy.Swap(true) { // 3
			return
		}
	}
}

func (l *Twice) Unlock(int) { l.busy.Store(false) } // 4

// Kinds has a cell of each kind that an invariant may ask for, behind a
// test-and-set lock.
type Kinds struct {
	busy   atomic.Bool
	level  atomic.Int32
	turns  atomic.Int64 // grows without bound, and decides nothing
	last   atomic.Pointer[Node]
	node   []Node
	shared int   // plain
	own    []int // own[i] is process i's
	grid   [2][3]atomic.Uint32
	far    *atomic.Uint32
}

// Node is what last leads to.
type Node struct{ set atomic.Bool }

func NewKinds(n int) *Kinds {
	k := &Kinds{node: make([]Node, n), own: make([]int, n)}
	k.far = new(atomic.Uint32)
	k.level.Store(-1)
	return k
}

func (k *Kinds) Lock(i int) {
	for k.busy.Swap(true) { // 7, 8
	}
	k.far.Store(uint32(i))
	k.turns.Add(1)
	k.level.Store(int32(-2 - i))
	k.node[i].set.Store(true)
	k.last.Store(&k.node[i])
	k.shared = i
	k.own[i] = 1 - k.own[i]
	k.grid[1][2].Store(uint32(k.own[i]))
}

func (k *Kinds) Unlock(i int) {
	k.level.Store(-1)
	k.node[i].set.Store(false)
	k.last.Store(nil)
	k.busy.Store(false)
}
