package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var hapax = queue.Hapax(shm.Packed, shm.Sequential)

var hapaxes = []Mutant{
	mutate(hapax, "hapax-split-swap", "the last value is read and written in two steps", Safety, 2,
		func(n int) shm.Mutex { return &hapaxSplitSwap{newHapax(n)} }).using(shm.ReadWrite).with(hapaxSpace(2)),
	mutate(hapax, "hapax-one-value", "a process uses the same value in each passage", Safety, 2,
		func(n int) shm.Mutex { return newHapax(n) }).using(shm.Swap).with(hapaxSpace(1)),
	mutate(hapax, "hapax-two-values", "a process uses two values in turn: the first is forgotten by all before it comes again", Equivalent, 1,
		func(n int) shm.Mutex { return &hapaxTwoValues{newHapax(n)} }).using(shm.Swap).with(hapaxSpace(2)),
}

// hapaxSpace is what the lock needs with a number of values for each process.
func hapaxSpace(each int) shm.Space {
	values := shm.Formula{Text: "a few for each process", At: func(n int) int { return each*n + 1 }}
	return shm.Space{{Name: "arrive", Count: shm.Const(1), Values: values}, {Name: "depart", Count: shm.Const(1), Values: values}}
}

// hapaxBase is the hapax lock, in which process i has the values 2i+1 and 2i+2 only,
// and here uses the first:
//
//	entry section of process i:
//	1  h := a value
//	2  pred := swap(arrive, h)
//	3  wait until depart = pred
//	exit section of process i:
//	4  depart := h
type hapaxBase struct {
	arrive, depart atomic.Uint64
	drawn          []uint64 // drawn[i], the value h of process i, is private to it
}

func newHapax(n int) *hapaxBase {
	l := &hapaxBase{drawn: make([]uint64, n)}
	for i := range l.drawn {
		l.drawn[i] = uint64(2*i + 1)
	}
	return l
}

// other is the other value of a process.
func other(h uint64) uint64 { return (h - 1) ^ 1 + 1 }

// await is line 3.
func (l *hapaxBase) await(pred uint64) {
	spin.Until(func() bool { return l.depart.Load() == pred })
}

func (l *hapaxBase) Lock(i int) {
	l.await(l.arrive.Swap(l.drawn[i])) // 2, 3
}

func (l *hapaxBase) Unlock(i int) {
	l.depart.Store(l.drawn[i]) // 4
}

type hapaxSplitSwap struct{ *hapaxBase }

func (l *hapaxSplitSwap) Lock(i int) {
	l.drawn[i] = other(l.drawn[i]) // 1
	pred := l.arrive.Load()        // 2
	l.arrive.Store(l.drawn[i])     // 2
	l.await(pred)                  // 3
}

type hapaxTwoValues struct{ *hapaxBase }

func (l *hapaxTwoValues) Lock(i int) {
	l.drawn[i] = other(l.drawn[i])     // 1
	l.await(l.arrive.Swap(l.drawn[i])) // 2, 3
}
