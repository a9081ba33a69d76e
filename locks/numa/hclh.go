package numa

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// HCLHMutex is the hierarchical CLH lock. The processes of a node form a local queue. The
// first process of a local queue appends the whole queue, as long as it is by then, to the
// global queue.
//
// Source: Victor Luchangco, Dan Nussbaum and Nir Shavit, "A Hierarchical CLH Queue Lock",
// Euro-Par 2006, LNCS 4128, p. 801-810. The programs that were read are hclhlock.h of
// libvsync, and programs after a book. The book is Maurice Herlihy and Nir Shavit, "The
// Art of Multiprocessor Programming", 1st edition, 2008, section 7.8.2.
//
// Registers: global, the last record of the global queue, and tail[c], the last record of node
// c, at first nil. Arriving processes swap both. Each of n+1 records has state, which its
// owner writes, and also the first process of its node. The state has three parts: the node, a
// bit (spliced) of the last record of an appended queue, and a bit that makes the successor
// wait.
//
// Properties: mutual exclusion, because a process enters when its predecessor in the global
// queue has left. That predecessor is also its predecessor on its node, unless the latter was
// the last record of an appended queue. No process starves: both queues are
// first-come-first-served. Once the record of a process is in the global queue, at most n-1
// other processes enter first. Before the first process of its node has appended it, a process
// can be passed any number of times. As many processes of a node enter in a row as are in the
// local queue when it is appended.
//
// The doorway is line 1.
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
//
// A record can move to another node with its new owner while another process still reads it.
// So the three parts of its state are one register.
//
// Released stores: line 8, which no access of the critical section can follow, and which only
// keeps the successor waiting while it is buffered. Line 9, which line 1 of the next passage
// takes to memory before any process can reach the record. Line 6 keeps its fence only for the
// sake of the check: without it, there are half as many states again.
//
// Deviations: on lines 1 and 5 the paper, and the programs after it, repeat compare-and-swap
// until it succeeds, so that a process can starve. Here both lines are swaps. A process does
// not pause on line 4 to let others gather. If all processes are on one node, no process
// appends. On a machine of one node the lock of the catalog is CLH. Pointers are numbers.
type HCLHMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	global   register.Uint32 // a record, from 1 on
	_        shm.Pad
	released bool
	one      bool
	node     shm.Array[hclhNode]
	record   shm.Array[hclhRecord]
	private  shm.Array[hclhPrivate] // private[i] is used by process i only
}

type hclhNode struct{ tail register.Uint32 } // none, or a record

type hclhRecord struct{ state register.Uint32 }

type hclhPrivate struct {
	node    int
	I, pred uint32
}

// The parts of a state below the number of the node.
const (
	hclhWait = 1 << iota
	hclhSpliced
	hclhNodes // the number of node 1
)

// New returns the lock for n processes, or a *shm.ProcsError.
func (h HCLH) New(n int, layout shm.Layout, stores shm.Stores) (*HCLHMutex, error) {
	return shm.New[*HCLHMutex](h.spec(layout, stores), n)
}

func (h HCLH) build(b shm.Build) shm.Mutex {
	n := b.N
	places, size := h.Nodes.places(n)
	l := &HCLHMutex{
		released: b.Released,
		one:      len(size) == 1,
		node:     shm.NewArray[hclhNode](len(size), shm.Padded),
		record:   shm.NewArray[hclhRecord](n+1, b.Layout),
		private:  shm.NewArray[hclhPrivate](n, shm.Padded),
	}
	for i, at := range places {
		*l.private.At(i) = hclhPrivate{node: at.node, pred: uint32(i + 1)}
		l.of(uint32(i + 1)).Store(hclhState(at.node, hclhWait))
	}
	l.global.Store(uint32(n + 1))
	if l.one {
		l.node.At(0).tail.Store(uint32(n + 1))
	}
	return l
}

func hclhState(node int, parts uint32) uint32 { return uint32(node)*hclhNodes | parts }

// of returns the state of a record.
func (l *HCLHMutex) of(I uint32) *register.Uint32 { return &l.record.At(int(I - 1)).state }

// Lock acquires the lock for process i.
func (l *HCLHMutex) Lock(i int) {
	p := l.private.At(i)
	record, tail, waits := l.record, &l.node.At(p.node).tail, hclhState(p.node, hclhWait)
	p.I = p.pred            // 10, of the passage before
	p.pred = tail.Swap(p.I) // 1
	if p.pred != none {     // 2
		pred, state := record.At(int(p.pred-1)), waits
		spin.Until(func() bool { state = pred.state.Load(); return state != waits }) // 3
		if state == hclhState(p.node, 0) {
			return
		}
	}
	t := tail.Load()                                       // 4
	p.pred = l.global.Swap(t)                              // 5
	l.of(t).Store(hclhState(p.node, hclhSpliced|hclhWait)) // 6
	pred := l.of(p.pred)
	spin.Until(func() bool { return pred.Load()&hclhWait == 0 }) // 7
}

// Unlock releases the lock for process i.
func (l *HCLHMutex) Unlock(i int) {
	p := l.private.At(i)
	mine := l.of(p.I)
	mine.StoreReleaseIf(l.released, mine.Load()&^hclhWait)               // 8
	l.of(p.pred).StoreReleaseIf(l.released, hclhState(p.node, hclhWait)) // 9
}
