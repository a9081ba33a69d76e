package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
)

var clhStandard = queue.CLHStandard(shm.Packed, shm.Sequential)

var clhStandards = []Mutant{
	mutate(clhStandard, "clhstandard-head-early", "head is written before the process has waited for its turn", Deadlock, 2,
		func(n int) shm.Mutex { return &clhStandardHeadEarly{newCLHStandard(n)} }),
	mutate(clhStandard, "clhstandard-head-predecessor", "head is the predecessor's node, as what the process has now", Deadlock, 1,
		func(n int) shm.Mutex { return &clhStandardHeadPredecessor{newCLHStandard(n)} }),
}

// clhStandardBase is the CLH lock with the standard interface, in pieces:
//
//	entry section of process i, whose node is I:
//	1  p := I; p.locked := true
//	2  pred := swap(tail, p); I := pred
//	3  wait until not pred.locked
//	4  head := p
//	exit section:
//	5  head.locked := false
type clhStandardBase struct {
	*clhBase
	head atomic.Uint32 // a node
}

func newCLHStandard(n int) clhStandardBase { return clhStandardBase{clhBase: newCLH(n)} }

// enqueue is lines 1 and 2; it returns the process's node and its predecessor.
func (l *clhStandardBase) enqueue(i int) (p, pred uint32) {
	own := &l.private[i]
	p = own.I
	l.node[p].locked.Store(true) // 1
	own.I = l.tail.Swap(p)       // 2
	return p, own.I
}

func (l *clhStandardBase) Unlock(int) {
	l.node[l.head.Load()].locked.Store(false) // 5
}

type clhStandardHeadEarly struct{ clhStandardBase }

func (l *clhStandardHeadEarly) Lock(i int) {
	p, pred := l.enqueue(i)
	l.head.Store(p)              // 4
	l.await(&l.private[i], pred) // 3
}

type clhStandardHeadPredecessor struct{ clhStandardBase }

func (l *clhStandardHeadPredecessor) Lock(i int) {
	_, pred := l.enqueue(i)
	l.await(&l.private[i], pred) // 3
	l.head.Store(pred)           // 4
}
