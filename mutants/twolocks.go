package mutants

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tas"
)

var twoLocks = []Mutant{
	mutate(tas.TAS(shm.Sequential), "two-locks-opposite", "two locks for one, which odd processes take in the opposite order", Deadlock, 2,
		func(int) shm.Mutex { return new(twoLocksOpposite) }).with(twoBits),
	mutate(tas.TAS(shm.Sequential), "two-locks-in-order", "two locks for one, which all take in one order and leave in the reverse", Equivalent, 1,
		func(int) shm.Mutex { return new(twoLocksInOrder) }).with(twoBits),
}

var twoBits = shm.Space{{Name: "m", Count: shm.Const(2), Values: shm.Const(2)}}

// twoLocksOpposite is the deadlock of lectures on mutual exclusion (Ethan
// Blanton, Mutual Exclusion, CSE 486, "Deadlock"): process A locks m0, then m1,
// process B m1, then m0, and each can hold what the other wants.
//
//	entry section of process i:
//	1  lock m[i mod 2]
//	2  lock m[1 − i mod 2]
//	exit section:
//	3  unlock m[1 − i mod 2]
//	4  unlock m[i mod 2]
type twoLocksOpposite struct{ m [2]atomic.Bool }

func (l *twoLocksOpposite) Lock(i int) {
	lockBit(&l.m[i%2])   // 1
	lockBit(&l.m[1-i%2]) // 2
}

func (l *twoLocksOpposite) Unlock(i int) {
	l.m[1-i%2].Store(false) // 3
	l.m[i%2].Store(false)   // 4
}

// twoLocksInOrder is the remedy: the locks have an order, in which all take them.
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
