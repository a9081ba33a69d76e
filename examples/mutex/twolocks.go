package mutex

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// TwoLocksOpposite builds the deadlock of the lecture: process A locks m0, then
// m1, process B m1, then m0, and each can hold what the other wants.
//
//	entry section of process i:
//	1  lock m[i mod 2]
//	2  lock m[1 − i mod 2]
//	exit section:
//	3  unlock m[1 − i mod 2]
//	4  unlock m[i mod 2]
func TwoLocksOpposite(int) shm.Mutex { return new(twoLocksOpposite) }

type twoLocksOpposite struct{ m [2]atomic.Bool }

func (l *twoLocksOpposite) Lock(i int) {
	lockBit(&l.m[i%2])   // 1
	lockBit(&l.m[1-i%2]) // 2
}

func (l *twoLocksOpposite) Unlock(i int) {
	l.m[1-i%2].Store(false) // 3
	l.m[i%2].Store(false)   // 4
}

// TwoLocksInOrder builds the remedy: the locks have an order, in which all lock
// them, and they are unlocked in the reverse.
func TwoLocksInOrder(int) shm.Mutex { return new(twoLocksInOrder) }

type twoLocksInOrder struct{ m [2]atomic.Bool }

func (l *twoLocksInOrder) Lock(int) {
	lockBit(&l.m[0])
	lockBit(&l.m[1])
}

func (l *twoLocksInOrder) Unlock(int) {
	l.m[1].Store(false)
	l.m[0].Store(false)
}

func lockBit(m *atomic.Bool) {
	for m.Swap(true) {
		spin.Pause()
	}
}
