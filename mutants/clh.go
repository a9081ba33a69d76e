package mutants

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var clh = queue.CLH(shm.Packed)

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
	tail    atomic.Pointer[clhNode]
	private []clhPrivate // private[i] is used by process i only
}

type clhNode struct{ locked atomic.Bool }

type clhPrivate struct{ I, pred *clhNode }

func newCLH(n int) *clhBase {
	l := &clhBase{private: make([]clhPrivate, n)}
	for i := range n {
		l.private[i].I = new(clhNode)
	}
	l.tail.Store(new(clhNode))
	return l
}

// await is line 3.
func (p *clhPrivate) await(pred *clhNode) {
	spin.Until(func() bool { return !pred.locked.Load() })
	p.pred = pred
}

func (l *clhBase) Lock(i int) {
	p := &l.private[i]
	p.I.locked.Store(true)    // 1
	p.await(l.tail.Swap(p.I)) // 2, 3
}

func (l *clhBase) Unlock(i int) {
	p := &l.private[i]
	p.I.locked.Store(false) // 4
	p.I = p.pred            // 5
}

type clhSplitSwap struct{ *clhBase }

func (l *clhSplitSwap) Lock(i int) {
	p := &l.private[i]
	p.I.locked.Store(true) // 1
	pred := l.tail.Load()  // 2
	l.tail.Store(p.I)      // 2
	p.await(pred)          // 3
}

type clhLockedLate struct{ *clhBase }

func (l *clhLockedLate) Lock(i int) {
	p := &l.private[i]
	pred := l.tail.Swap(p.I) // 2
	p.I.locked.Store(true)   // 1
	p.await(pred)            // 3
}

type clhOwnNode struct{ *clhBase }

func (l *clhOwnNode) Unlock(i int) { l.private[i].I.locked.Store(false) } // 4
