package byhand

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/spin"
)

var blockWoo1990 = peterson.BlockWoo(shm.Packed, shm.Sequential)

var blockWoos = []Mutant{
	mutate(blockWoo1990, "blockwoo-no-turn", "nobody is let go by another that takes its place", Deadlock, 2,
		func(n int) shm.Mutex { return &blockWooNoTurn{newBlockWoo(n)} }),
	mutate(blockWoo1990, "blockwoo-one-more", "a level lets one process more in than it may", Safety, 2,
		func(n int) shm.Mutex { return &blockWooOneMore{newBlockWoo(n)} }),
	mutate(blockWoo1990, "blockwoo-turn-first", "turn of level 1 is written before the own q", Safety, 2,
		func(n int) shm.Mutex { return &blockWooTurnFirst{newBlockWoo(n)} }),
	mutate(blockWoo1990, "blockwoo-no-reset", "the exit section leaves q", Deadlock, 2,
		func(n int) shm.Mutex { return &blockWooNoReset{newBlockWoo(n)} }),
}

// blockWooBase is Block and Woo's filter in pieces:
//
//	entry section of process i:
//	1  q[i] := 1
//	   for j := 1 to n-1:
//	2      turn[j] := i
//	3      wait until turn[j] is not i,
//	4          or q[k] = 1 for at most j processes k; then enter at once
//	exit section of process i:
//	5  q[i] := 0
type blockWooBase struct {
	q    []atomic.Bool
	turn []atomic.Uint32 // turn[j] is at j-1
}

func newBlockWoo(n int) *blockWooBase {
	return &blockWooBase{q: make([]atomic.Bool, n), turn: make([]atomic.Uint32, n-1)}
}

// levels is lines 2 to 4, in which level j lets j + more processes in.
func (l *blockWooBase) levels(i, more int) {
	for j := range l.turn {
		l.turn[j].Store(uint32(i)) // 2
		if !l.freed(i, j, j+1+more) {
			return
		}
	}
}

// freed is lines 3 and 4 at the level after j: it reports whether another has come
// to the level, rather than that at most few processes have q set.
func (l *blockWooBase) freed(i, j, few int) bool {
	freed := false
	spin.Until(func() bool {
		freed = l.turn[j].Load() != uint32(i) // 3
		return freed || l.set() <= few        // 4
	})
	return freed
}

// set counts the processes that have q set.
func (l *blockWooBase) set() (n int) {
	for k := range l.q {
		if l.q[k].Load() { // 4
			n++
		}
	}
	return n
}

func (l *blockWooBase) Lock(i int) {
	l.q[i].Store(true) // 1
	l.levels(i, 0)
}

func (l *blockWooBase) Unlock(i int) {
	l.q[i].Store(false) // 5
}

type blockWooNoTurn struct{ *blockWooBase }

func (l *blockWooNoTurn) Lock(i int) {
	l.q[i].Store(true) // 1
	for j := range min(1, len(l.turn)) {
		l.turn[j].Store(uint32(i)) // 2
	}
	spin.Until(func() bool { return l.set() <= 1 }) // 4
}

type blockWooOneMore struct{ *blockWooBase }

func (l *blockWooOneMore) Lock(i int) {
	l.q[i].Store(true) // 1
	l.levels(i, 1)
}

type blockWooTurnFirst struct{ *blockWooBase }

func (l *blockWooTurnFirst) Lock(i int) {
	for j := range l.turn {
		l.turn[j].Store(uint32(i)) // 2
		l.q[i].Store(true)         // 1
		if !l.freed(i, j, j+1) {
			return
		}
	}
}

type blockWooNoReset struct{ *blockWooBase }

func (l *blockWooNoReset) Unlock(int) {}
