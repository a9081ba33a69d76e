package byhand

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/spin"
)

var filter = peterson.Filter(shm.Packed, shm.Sequential)

var filters = []Mutant{
	mutate(filter, "filter-one-level-short", "there are n-2 levels instead of n-1", Safety, 2,
		func(n int) shm.Mutex { return &filterOneLevelShort{newFilter(n)} }).with(shm.Space{
		{Name: "q", Count: shm.N, Values: shm.Formula{Text: "n-1, at least 1", At: func(n int) int { return max(1, n-1) }}, SingleWriter: true},
		{Name: "turn", Count: shm.Formula{Text: "n-2", At: func(n int) int { return max(0, n-2) }}, Values: shm.N},
	}),
	mutate(filter, "filter-greater", "a process at the same level does not hold one back, only one above", Safety, 2,
		func(n int) shm.Mutex { return &filterGreater{newFilter(n)} }),
	mutate(filter, "filter-turn-first", "turn is written before the own q", Safety, 2,
		func(n int) shm.Mutex { return &filterTurnFirst{newFilter(n)} }),
	mutate(filter, "filter-no-reset", "the exit section leaves q", Deadlock, 2,
		func(n int) shm.Mutex { return &filterNoReset{newFilter(n)} }),
}

// filterBase is the filter in pieces:
//
//	entry section of process i:
//	1  for j := 1 to n-1:
//	2      q[i] := j
//	3      turn[j] := i
//	4      wait until (for all k other than i: q[k] < j) or turn[j] is not i
//	exit section of process i:
//	5  q[i] := 0
type filterBase struct {
	q    []atomic.Uint32
	turn []atomic.Uint32 // turn[j] is at j-1
}

func newFilter(n int) filterBase {
	return filterBase{q: make([]atomic.Uint32, n), turn: make([]atomic.Uint32, n-1)}
}

// await is line 4.
func (l *filterBase) await(i, j int) {
	spin.Until(func() bool { return l.below(i, uint32(j)) || l.turn[j-1].Load() != uint32(i) })
}

// below reports whether every process other than i is below the level.
func (l *filterBase) below(i int, level uint32) bool {
	for k := range l.q {
		if k != i && l.q[k].Load() >= level {
			return false
		}
	}
	return true
}

func (l *filterBase) Unlock(i int) {
	l.q[i].Store(0) // 5
}

type filterOneLevelShort struct{ filterBase }

func (l *filterOneLevelShort) Lock(i int) {
	for j := 1; j < len(l.q)-1; j++ { // 1
		l.q[i].Store(uint32(j))      // 2
		l.turn[j-1].Store(uint32(i)) // 3
		l.await(i, j)                // 4
	}
}

type filterGreater struct{ filterBase }

func (l *filterGreater) Lock(i int) {
	for j := 1; j < len(l.q); j++ { // 1
		l.q[i].Store(uint32(j))                                                                       // 2
		l.turn[j-1].Store(uint32(i))                                                                  // 3
		spin.Until(func() bool { return l.below(i, uint32(j+1)) || l.turn[j-1].Load() != uint32(i) }) // 4
	}
}

type filterTurnFirst struct{ filterBase }

func (l *filterTurnFirst) Lock(i int) {
	for j := 1; j < len(l.q); j++ { // 1
		l.turn[j-1].Store(uint32(i)) // 3
		l.q[i].Store(uint32(j))      // 2
		l.await(i, j)                // 4
	}
}

type filterNoReset struct{ filterBase }

func (l *filterNoReset) Lock(i int) {
	for j := 1; j < len(l.q); j++ { // 1
		l.q[i].Store(uint32(j))      // 2
		l.turn[j-1].Store(uint32(i)) // 3
		l.await(i, j)                // 4
	}
}

func (l *filterNoReset) Unlock(int) {}
