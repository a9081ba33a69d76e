package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var clh = queue.CLH(shm.Packed, shm.Sequential)

var clhs = []Mutant{
	mutate(clh, "clh-split-swap", "the tail is read and written in two steps", Safety, 2,
		func(n int) shm.Mutex { return &clhSplitSwap{newCLH(n)} }).using(shm.ReadWrite),
	mutate(clh, "clh-locked-late", "locked is set after the node is in the queue", Safety, 2,
		func(n int) shm.Mutex { return &clhLockedLate{newCLH(n)} }),
	mutate(clh, "clh-own-node", "a process keeps its own node instead of taking its predecessor's", Deadlock, 1,
		func(n int) shm.Mutex { return &clhOwnNode{newCLH(n)} }),
}

// clhBase is the CLH lock:
//
//	entry section of process i, whose node is I:
//	1  I.locked := true
//	2  pred := swap(tail, I)
//	3  wait until not pred.locked
//	exit section:
//	4  I.locked := false
//	5  I := pred
type clhBase struct {
	tail    atomic.Uint32 // a node
	node    []clhNode
	private []clhPrivate // private[i] is used by process i only
}

type clhNode struct{ locked atomic.Bool }

type clhPrivate struct{ I, pred uint32 }

func newCLH(n int) *clhBase {
	l := &clhBase{node: make([]clhNode, n+1), private: make([]clhPrivate, n)}
	for i := range n {
		l.private[i].I = uint32(i)
	}
	l.tail.Store(uint32(n))
	return l
}

// await is line 3.
func (l *clhBase) await(p *clhPrivate, pred uint32) {
	node := &l.node[pred]
	spin.Until(func() bool { return !node.locked.Load() })
	p.pred = pred
}

func (l *clhBase) Lock(i int) {
	p := &l.private[i]
	l.node[p.I].locked.Store(true) // 1
	l.await(p, l.tail.Swap(p.I))   // 2, 3
}

func (l *clhBase) Unlock(i int) {
	p := &l.private[i]
	l.node[p.I].locked.Store(false) // 4
	p.I = p.pred                    // 5
}

type clhSplitSwap struct{ *clhBase }

func (l *clhSplitSwap) Lock(i int) {
	p := &l.private[i]
	l.node[p.I].locked.Store(true) // 1
	pred := l.tail.Load()          // 2
	l.tail.Store(p.I)              // 2
	l.await(p, pred)               // 3
}

type clhLockedLate struct{ *clhBase }

func (l *clhLockedLate) Lock(i int) {
	p := &l.private[i]
	pred := l.tail.Swap(p.I)       // 2
	l.node[p.I].locked.Store(true) // 1
	l.await(p, pred)               // 3
}

type clhOwnNode struct{ *clhBase }

func (l *clhOwnNode) Unlock(i int) { l.node[l.private[i].I].locked.Store(false) } // 4
