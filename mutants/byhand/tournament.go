package byhand

import (
	"math/bits"

	"shmbench/shm"
	"shmbench/tournament"
)

var (
	tree        = tournament.Peterson(shm.Packed, shm.Sequential)
	minimalTree = tournament.PetersonBuhr(shm.Packed, shm.Sequential)
)

var tournaments = []Mutant{
	mutate(tree, "tournament-leaf-first", "the exit section goes from the leaf up to the root", Safety, 3,
		func(n int) shm.Mutex { return &tournamentLeafFirst{newTournament(completeLeaf(n))} }).
		outOfReach("the process must stop between two writes of its exit section; a run meets that by luck, one with -perturb at once"),
	mutate(tree, "tournament-no-root", "the climb ends below the root", Safety, 2,
		func(n int) shm.Mutex { return &tournamentNoRoot{newTournament(completeLeaf(n))} }).with(belowRoot),
	mutate(tree, "tournament-one-side", "whoever comes from below takes side 0", Safety, 3,
		func(n int) shm.Mutex { return &tournamentOneSide{newTournament(completeLeaf(n))} }),
	mutate(tree, "tournament-root-only", "the exit section leaves the root only", Deadlock, 3,
		func(n int) shm.Mutex { return &tournamentRootOnly{newTournament(completeLeaf(n))} }),
	mutate(minimalTree, "petersonbuhr-leaf-first", "the exit section goes from the leaf up to the root", Safety, 3,
		func(n int) shm.Mutex { return &tournamentLeafFirst{newTournament(n)} }).
		outOfReach("the process must stop between two writes of its exit section; a run meets that by luck, one with -perturb at once"),
	mutate(minimalTree, "petersonbuhr-one-depth", "the exit section goes down floor(log2 n) nodes, and leaves the deepest leaves alone", Deadlock, 3,
		func(n int) shm.Mutex { return &petersonbuhrOneDepth{newTournament(n)} }),
}

// belowRoot are the tree's registers without those of the root.
var belowRoot = shm.Space{
	{Name: "q", Count: less(tree.Space[0].Count, 2), Values: shm.Const(2)},
	{Name: "turn", Count: less(tree.Space[1].Count, 1), Values: shm.Const(2)},
}

func less(f shm.Formula, by int) shm.Formula {
	return shm.Formula{Text: f.Text + ", less the root", At: func(n int) int { return max(0, f.Of(n)-by) }}
}

// tournamentBase is the binary tournament tree in pieces:
//
//	entry section of process i:
//	T1  for each node v on the path from the leaf of process i up to the root:
//	T2      enter node v as the process whose place the path takes there
//	exit section of process i:
//	T3  for each node v on the path from the root down to the leaf:
//	T4      leave node v as the process whose place was taken there
type tournamentBase struct {
	leaf int            // the leaf of process 0
	node []petersonNode // node[0] is not used
}

func newTournament(leaf int) tournamentBase {
	return tournamentBase{leaf: leaf, node: make([]petersonNode, leaf)}
}

// completeLeaf is the first leaf of the complete tree.
func completeLeaf(n int) int { return 1 << bits.Len(uint(n-1)) }

// petersonNode is Peterson's two-process lock.
type petersonNode struct{ petersonBase }

func (l *petersonNode) Lock(i int) {
	l.q[i].Store(true)
	l.turn.Store(uint32(i))
	l.await(i)
}

// depth is the number of nodes that process i passes.
func (t *tournamentBase) depth(i int) int { return bits.Len(uint(t.leaf+i)) - 1 }

// at returns the node that process i comes to as number k, the first being 1, and
// its place there.
func (t *tournamentBase) at(i, k int) (v, place int) {
	leaf := t.leaf + i
	return leaf >> k, leaf >> (k - 1) % 2
}

func (t *tournamentBase) Lock(i int) {
	for k := 1; k <= t.depth(i); k++ { // T1
		v, place := t.at(i, k)
		t.node[v].Lock(place) // T2
	}
}

func (t *tournamentBase) Unlock(i int) {
	for k := t.depth(i); k >= 1; k-- { // T3
		v, place := t.at(i, k)
		t.node[v].Unlock(place) // T4
	}
}

type tournamentLeafFirst struct{ tournamentBase }

func (t *tournamentLeafFirst) Unlock(i int) {
	for k := 1; k <= t.depth(i); k++ {
		v, place := t.at(i, k)
		t.node[v].Unlock(place)
	}
}

type tournamentNoRoot struct{ tournamentBase }

func (t *tournamentNoRoot) Lock(i int) {
	for k := 1; k < t.depth(i); k++ {
		v, place := t.at(i, k)
		t.node[v].Lock(place)
	}
}

func (t *tournamentNoRoot) Unlock(i int) {
	for k := t.depth(i) - 1; k >= 1; k-- {
		v, place := t.at(i, k)
		t.node[v].Unlock(place)
	}
}

type tournamentOneSide struct{ tournamentBase }

// place returns the place that process i takes at the node it comes to as number k.
func (t *tournamentOneSide) place(i, k int) int {
	if k > 1 {
		return 0
	}
	return i % 2
}

func (t *tournamentOneSide) Lock(i int) {
	for k := 1; k <= t.depth(i); k++ {
		v, _ := t.at(i, k)
		t.node[v].Lock(t.place(i, k))
	}
}

func (t *tournamentOneSide) Unlock(i int) {
	for k := t.depth(i); k >= 1; k-- {
		v, _ := t.at(i, k)
		t.node[v].Unlock(t.place(i, k))
	}
}

type tournamentRootOnly struct{ tournamentBase }

func (t *tournamentRootOnly) Unlock(i int) {
	if t.depth(i) == 0 {
		return
	}
	v, place := t.at(i, t.depth(i))
	t.node[v].Unlock(place)
}

type petersonbuhrOneDepth struct{ tournamentBase }

func (t *petersonbuhrOneDepth) Unlock(i int) {
	depth := t.depth(i)
	for k := depth; k > depth-t.depth(0); k-- {
		v, place := t.at(i, k)
		t.node[v].Unlock(place)
	}
}
