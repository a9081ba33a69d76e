package mutants

import (
	"math/bits"

	"shmbench/shm"
	"shmbench/tournament"
)

var tree = tournament.Peterson(shm.Packed, shm.Sequential)

var tournaments = []Mutant{
	mutate(tree, "tournament-leaf-first", "the exit section goes from the leaf up to the root", Safety, 3,
		func(n int) shm.Mutex { return &tournamentLeafFirst{newTournament(n)} }).
		outOfReach("the process must stop between two writes of its exit section; a run meets that by luck, one with -perturb at once"),
	mutate(tree, "tournament-no-root", "the climb ends below the root", Safety, 2,
		func(n int) shm.Mutex { return &tournamentNoRoot{newTournament(n)} }).with(belowRoot),
	mutate(tree, "tournament-one-side", "whoever comes from below takes side 0", Safety, 3,
		func(n int) shm.Mutex { return &tournamentOneSide{newTournament(n)} }),
	mutate(tree, "tournament-root-only", "the exit section leaves the root only", Deadlock, 3,
		func(n int) shm.Mutex { return &tournamentRootOnly{newTournament(n)} }),
}

// belowRoot are the tree's registers without those of the root.
var belowRoot = shm.Space{
	{Name: "q", Count: less(tree.Space[0].Count, 2), Values: shm.Const(2)},
	{Name: "turn", Count: less(tree.Space[1].Count, 1), Values: shm.Const(2)},
}

func less(f shm.Formula, by int) shm.Formula {
	return shm.Formula{Text: f.Text + ", less the root", At: func(n int) int { return max(0, f.Of(n)-by) }}
}

// tournamentBase is the tournament tree in pieces:
//
//	entry section of process i:
//	T1  v := 2^(k-1) + floor(i/2), side := i mod 2
//	T2  while v >= 1:
//	T3      enter node v as process side
//	T4      v, side := floor(v/2), v mod 2
//	exit section of process i:
//	T5  for each node v on the path from the root down to the leaf:
//	T6      leave node v as the side that was taken there
type tournamentBase struct {
	k    int            // levels
	node []petersonNode // node[0] is not used
}

func newTournament(n int) tournamentBase {
	k := bits.Len(uint(n - 1))
	return tournamentBase{k: k, node: make([]petersonNode, 1<<k)}
}

// petersonNode is Peterson's two-process lock.
type petersonNode struct{ petersonBase }

func (l *petersonNode) Lock(i int) {
	l.q[i].Store(true)
	l.turn.Store(uint32(i))
	l.await(i)
}

// at returns the node of process i at a level, 1 for its leaf to k for the
// root, and its side there.
func (t *tournamentBase) at(i, level int) (v, side int) {
	path := 1<<t.k + i
	return path >> level, path >> (level - 1) % 2
}

func (t *tournamentBase) Lock(i int) {
	for level := 1; level <= t.k; level++ { // T2, T4
		v, side := t.at(i, level)
		t.node[v].Lock(side) // T3
	}
}

func (t *tournamentBase) Unlock(i int) {
	for level := t.k; level >= 1; level-- { // T5
		v, side := t.at(i, level)
		t.node[v].Unlock(side) // T6
	}
}

type tournamentLeafFirst struct{ tournamentBase }

func (t *tournamentLeafFirst) Unlock(i int) {
	for level := 1; level <= t.k; level++ {
		v, side := t.at(i, level)
		t.node[v].Unlock(side)
	}
}

type tournamentNoRoot struct{ tournamentBase }

func (t *tournamentNoRoot) Lock(i int) {
	for level := 1; level < t.k; level++ {
		v, side := t.at(i, level)
		t.node[v].Lock(side)
	}
}

func (t *tournamentNoRoot) Unlock(i int) {
	for level := t.k - 1; level >= 1; level-- {
		v, side := t.at(i, level)
		t.node[v].Unlock(side)
	}
}

type tournamentOneSide struct{ tournamentBase }

// side returns the side that process i takes at a level.
func (t *tournamentOneSide) side(i, level int) int {
	if level > 1 {
		return 0
	}
	return i % 2
}

func (t *tournamentOneSide) Lock(i int) {
	for level := 1; level <= t.k; level++ {
		v, _ := t.at(i, level)
		t.node[v].Lock(t.side(i, level))
	}
}

func (t *tournamentOneSide) Unlock(i int) {
	for level := t.k; level >= 1; level-- {
		v, _ := t.at(i, level)
		t.node[v].Unlock(t.side(i, level))
	}
}

type tournamentRootOnly struct{ tournamentBase }

func (t *tournamentRootOnly) Unlock(i int) {
	if t.k == 0 {
		return
	}
	v, side := t.at(i, t.k)
	t.node[v].Unlock(side)
}
