package byhand

import (
	"sync/atomic"

	"shmbench/numa"
	"shmbench/shm"
	"shmbench/spin"
)

var hbo = numa.HBO{Nodes: twoNodes}.Card(shm.Sequential)

var hbos = []Mutant{
	mutate(hbo, "hbo-looks-then-stores", "the word is found free and written in two steps", Safety, 2,
		func(int) shm.Mutex { return new(hboLooksThenStores) }).using(shm.ReadWrite),
	mutate(hbo, "hbo-never-freed", "who leaves does not free the word", Deadlock, 1,
		func(int) shm.Mutex { return new(hboNeverFreed) }),
	mutate(hbo, "hbo-taken-from-near", "who finds the word marked with its own node takes it for its own", Safety, 3,
		func(int) shm.Mutex { return new(hboTakenFromNear) }),
}

// hboBase is the hierarchical backoff lock without its pauses, which save time:
//
//	entry section of process i of node c:
//	1  if compare-and-swap(word, free, c) succeeds then enter
//	2  t := word
//	3  if t is c then pause near times, else far times, and twice as long the next time, up to a bound
//	4  goto 1
//	exit section:
//	5  word := free
type hboBase struct{ word atomic.Uint32 }

// mark is the number of the node of process i.
func mark(i int) uint32 { return uint32(i%2 + 1) }

func (l *hboBase) Lock(i int) {
	for !l.word.CompareAndSwap(0, mark(i)) { // 1
		spin.Pause() // 3
	}
}

func (l *hboBase) Unlock(int) {
	l.word.Store(0) // 5
}

type hboLooksThenStores struct{ hboBase }

func (l *hboLooksThenStores) Lock(i int) {
	spin.Until(func() bool { return l.word.Load() == 0 }) // 1
	l.word.Store(mark(i))                                 // 1
}

type hboNeverFreed struct{ hboBase }

func (l *hboNeverFreed) Unlock(int) {}

type hboTakenFromNear struct{ hboBase }

func (l *hboTakenFromNear) Lock(i int) {
	for !l.word.CompareAndSwap(0, mark(i)) { // 1
		if l.word.Load() == mark(i) { // 2
			return
		}
		spin.Pause() // 3
	}
}
