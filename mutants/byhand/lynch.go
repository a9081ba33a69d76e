package byhand

import (
	"math/bits"

	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tournament"
)

var (
	lynch         = tournament.Lynch(shm.Packed, shm.Sequential)
	releasedLynch = tournament.Lynch(shm.Packed, shm.Released)
)

var lynches = []Mutant{
	// Between the two writes a process of the other side may come and see no flag.
	mutate(lynch, "lynch-turn-first", "turn is written before flag", Safety, 2,
		func(n int) shm.Mutex { return &lynchTurnFirst{newLynch(n)} }),
	// Whoever has won the node is at a higher level, or in its critical section.
	mutate(lynch, "lynch-same-level", "the wait is for flags of the same level only", Safety, 3,
		func(n int) shm.Mutex { return &lynchSameLevel{newLynch(n)} }),
	// It is the fence before the look at the other side.
	release(releasedLynch, "lynch-turn-released", "turn is written by a released store, and the other side looked at before it can see flag",
		func(n int) shm.Mutex { return &lynchTurnReleased{newLynch(n)} }),
}

// lynchBase is Lynch's tournament in pieces:
//
//	entry section of process i:
//	   for k := 1 to ceil(log2 n), v being the node of level k above i, role the side
//	   of v on which i is:
//	1      flag[i] := k
//	2      turn[v] := role
//	3      for each process j on the other side of v:
//	           wait until flag[j] < k or turn[v] != role
//	exit section of process i:
//	4  flag[i] := 0
type lynchBase struct {
	flag []register.Uint32
	turn []register.Uint32
}

func newLynch(n int) lynchBase {
	return lynchBase{flag: make([]register.Uint32, n), turn: make([]register.Uint32, 1<<bits.Len(uint(n-1)))}
}

// node is the node of level k above process i, and the side of it on which i is.
func (l *lynchBase) node(i, k int) (v int, role uint32) {
	leaf := len(l.turn) + i
	return leaf >> k, uint32(leaf>>(k-1)) & 1
}

// await is line 3, in which there tells from its flag whether a process is.
func (l *lynchBase) await(i, k int, there func(flag uint32) bool) {
	v, role := l.node(i, k)
	first := (i>>(k-1) ^ 1) << (k - 1)
	for j := first; j < min(first+1<<(k-1), len(l.flag)); j++ { // 3
		spin.Until(func() bool { return !there(l.flag[j].Load()) || l.turn[v].Load() != role })
	}
}

func (l *lynchBase) Unlock(i int) { l.flag[i].Store(0) } // 4

type lynchTurnFirst struct{ lynchBase }

func (l *lynchTurnFirst) Lock(i int) {
	for k := 1; 1<<k <= len(l.turn); k++ {
		v, role := l.node(i, k)
		l.turn[v].Store(role)      // 2
		l.flag[i].Store(uint32(k)) // 1
		l.await(i, k, func(flag uint32) bool { return flag >= uint32(k) })
	}
}

type lynchSameLevel struct{ lynchBase }

func (l *lynchSameLevel) Lock(i int) {
	for k := 1; 1<<k <= len(l.turn); k++ {
		v, role := l.node(i, k)
		l.flag[i].Store(uint32(k)) // 1
		l.turn[v].Store(role)      // 2
		l.await(i, k, func(flag uint32) bool { return flag == uint32(k) })
	}
}

type lynchTurnReleased struct{ lynchBase }

func (l *lynchTurnReleased) Lock(i int) {
	for k := 1; 1<<k <= len(l.turn); k++ {
		v, role := l.node(i, k)
		l.flag[i].StoreRelease(uint32(k)) // 1
		l.turn[v].StoreRelease(role)      // 2
		l.await(i, k, func(flag uint32) bool { return flag >= uint32(k) })
	}
}
