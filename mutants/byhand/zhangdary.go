package byhand

import (
	"math/bits"

	"shmbench/burns"
	"shmbench/shm"
	"shmbench/tournament"
)

var zhangDary = tournament.ZhangDary(2).Card(shm.Packed, shm.Sequential)

var zhangDarys = []Mutant{
	// Two that come from different nodes below then stand at one place.
	mutate(zhangDary, "zhangdary-place-of-leaf", "a process takes the place of its leaf at every node", Safety, 3,
		func(n int) shm.Mutex { return &zhangDaryPlaceOfLeaf{newZhangDary(n)} }),
	// The next one from below comes to the place that is about to be cleared.
	mutate(zhangDary, "zhangdary-leaf-first", "the exit section goes from the leaf up to the root", Safety, 3,
		func(n int) shm.Mutex { return &zhangDaryLeafFirst{newZhangDary(n)} }).
		outOfReach("the process must stop between two writes of its exit section; a run meets that by luck"),
}

// zhangDaryBase is the d-ary tree with d = 2, Lamport's one-bit lock at its nodes:
//
//	entry section of process i:
//	T1  for each node v on the path from the leaf of process i up to the root:
//	T2      enter node v as the process whose place the path takes there
//	exit section of process i:
//	T3  for each node v on the path from the root down to the leaf:
//	T4      leave node v as the process whose place was taken there
type zhangDaryBase struct {
	height int
	node   []*burns.OneBitMutex // node[0] is not used
}

func newZhangDary(n int) zhangDaryBase {
	l := zhangDaryBase{bits.Len(uint(n - 1)), make([]*burns.OneBitMutex, completeLeaf(n))}
	for v := range l.node {
		node, err := burns.NewOneBit(2, shm.Packed, shm.Sequential)
		if err != nil {
			panic(err)
		}
		l.node[v] = node
	}
	return l
}

// at returns the node that process i comes to as number k, the first being 1, and its
// place there.
func (l *zhangDaryBase) at(i, k int) (node *burns.OneBitMutex, place int) {
	leaf := len(l.node) + i
	return l.node[leaf>>k], leaf >> (k - 1) % 2
}

func (l *zhangDaryBase) Lock(i int) {
	for k := 1; k <= l.height; k++ { // T1
		node, place := l.at(i, k)
		node.Lock(place) // T2
	}
}

func (l *zhangDaryBase) Unlock(i int) {
	for k := l.height; k >= 1; k-- { // T3
		node, place := l.at(i, k)
		node.Unlock(place) // T4
	}
}

type zhangDaryPlaceOfLeaf struct{ zhangDaryBase }

func (l *zhangDaryPlaceOfLeaf) Lock(i int) {
	for k := 1; k <= l.height; k++ { // T1
		node, _ := l.at(i, k)
		node.Lock(i % 2)
	}
}

func (l *zhangDaryPlaceOfLeaf) Unlock(i int) {
	for k := l.height; k >= 1; k-- { // T3
		node, _ := l.at(i, k)
		node.Unlock(i % 2)
	}
}

type zhangDaryLeafFirst struct{ zhangDaryBase }

func (l *zhangDaryLeafFirst) Unlock(i int) {
	for k := 1; k <= l.height; k++ {
		node, place := l.at(i, k)
		node.Unlock(place)
	}
}
