package byhand

import (
	"sync/atomic"

	"shmbench/numa"
	"shmbench/shm"
	"shmbench/spin"
)

var hclh = numa.HCLH{Nodes: twoNodes}.Card(shm.Packed, shm.Sequential)

var hclhs = []Mutant{
	mutate(hclh, "hclh-not-spliced", "who appends a queue does not mark its last record", Safety, 2,
		func(n int) shm.Mutex { return &hclhNotSpliced{newHCLH(n)} }),
	mutate(hclh, "hclh-record-not-reset", "who takes its predecessor's record leaves it as it is", Safety, 2,
		func(n int) shm.Mutex { return &hclhRecordNotReset{newHCLH(n)} }),
	mutate(hclh, "hclh-node-ignored", "the predecessor's record is looked at without asking whether it still is of the same node", Deadlock, 2,
		func(n int) shm.Mutex { return &hclhNodeIgnored{newHCLH(n)} }),
}

// hclhBase is the hierarchical CLH lock in pieces:
//
//	entry section of process i of node c, whose record is I, with the state (c, not spliced, wait):
//	1  pred := swap(tail[c], I)
//	2  if pred is not nil then
//	3      wait until pred is (c, not spliced, go), enter; or until it is of another node, or spliced
//	4  t := tail[c]
//	5  pred := swap(global, t)
//	6  t is spliced
//	7  wait until pred is go
//	exit section:
//	8  I is go
//	9  pred := (c, not spliced, wait)
//	10 I := pred
type hclhBase struct {
	global atomic.Uint32 // a record, from 1 on
	tail   [2]atomic.Uint32
	state  []atomic.Uint32
	I      []uint32 // I[i] and pred[i] are private to process i
	pred   []uint32
}

// The parts of a state below the number of its node.
const (
	hclhWait = 1 << iota
	hclhSpliced
	hclhNode
)

func newHCLH(n int) *hclhBase {
	l := &hclhBase{state: make([]atomic.Uint32, n+2), I: make([]uint32, n), pred: make([]uint32, n)}
	for i := range n {
		l.I[i] = uint32(i + 1)
		l.state[i+1].Store(fresh(i))
	}
	l.global.Store(uint32(n + 1))
	return l
}

// fresh is the state of a record of process i that is in no queue.
func fresh(i int) uint32 { return uint32(i%2)*hclhNode | hclhWait }

func (l *hclhBase) Lock(i int) {
	if !l.follow(i, l.decided(i), l.mine(i)) {
		t := l.append(i)
		l.state[t].Store(fresh(i) | hclhSpliced) // 6
		l.await(i)
	}
}

// decided is what line 3 waits for, and mine whether the process then enters.
func (l *hclhBase) decided(i int) func(state uint32) bool {
	return func(state uint32) bool { return state != fresh(i) }
}

func (l *hclhBase) mine(i int) func(state uint32) bool {
	return func(state uint32) bool { return state == fresh(i)&^hclhWait }
}

// follow is lines 1 to 3; it reports whether the process enters.
func (l *hclhBase) follow(i int, decided, mine func(state uint32) bool) bool {
	l.pred[i] = l.tail[i%2].Swap(l.I[i]) // 1
	if l.pred[i] == none {               // 2
		return false
	}
	pred, state := &l.state[l.pred[i]], uint32(0)
	spin.Until(func() bool { state = pred.Load(); return decided(state) }) // 3
	return mine(state)
}

// append is lines 4 and 5.
func (l *hclhBase) append(i int) (t uint32) {
	t = l.tail[i%2].Load()       // 4
	l.pred[i] = l.global.Swap(t) // 5
	return t
}

// await is line 7.
func (l *hclhBase) await(i int) {
	pred := &l.state[l.pred[i]]
	spin.Until(func() bool { return pred.Load()&hclhWait == 0 }) // 7
}

func (l *hclhBase) Unlock(i int) {
	l.leave(i)
	l.state[l.pred[i]].Store(fresh(i)) // 9
	l.I[i] = l.pred[i]                 // 10
}

// leave is line 8.
func (l *hclhBase) leave(i int) {
	mine := &l.state[l.I[i]]
	mine.Store(mine.Load() &^ hclhWait) // 8
}

type hclhNotSpliced struct{ *hclhBase }

func (l *hclhNotSpliced) Lock(i int) {
	if !l.follow(i, l.decided(i), l.mine(i)) {
		l.append(i)
		l.await(i)
	}
}

type hclhRecordNotReset struct{ *hclhBase }

func (l *hclhRecordNotReset) Unlock(i int) {
	l.leave(i)
	l.I[i] = l.pred[i] // 10
}

type hclhNodeIgnored struct{ *hclhBase }

func (l *hclhNodeIgnored) Lock(i int) {
	const decisive = hclhWait | hclhSpliced
	if !l.follow(i, func(state uint32) bool { return state&decisive != hclhWait }, func(state uint32) bool { return state&decisive == 0 }) {
		t := l.append(i)
		l.state[t].Store(fresh(i) | hclhSpliced) // 6
		l.await(i)
	}
}
