package numa

import (
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

// HCLHMutex is the hierarchical CLH lock: those of a node queue up there, and the first
// of them appends the whole queue, as far as it has come, to that of all nodes.
//
// Source: Victor Luchangco, Dan Nussbaum and Nir Shavit, "A Hierarchical CLH Queue
// Lock", Euro-Par 2006, LNCS 4128, p. 801-810; read as hclhlock.h of libvsync, and as
// programs after Maurice Herlihy and Nir Shavit, "The Art of Multiprocessor
// Programming", 1st edition, 2008, section 7.8.2.
//
// Registers: global, the last record of the queue of all nodes, and tail[c], the last of
// node c, or nil at first, swapped by those that come; for each of n+1 records state,
// written by the process that has the record, and by the first of its node: the node,
// whether it is the last that was appended with others (spliced), and whether the
// successor must wait.
//
// Properties: mutual exclusion, because a process enters when its predecessor in the
// queue of all nodes has left, which is its predecessor on its node unless that one was
// the last to be appended. No process starves: both queues are served in their order. When
// a process has appended its record, at most n-1 others enter before it; but until the
// first of its node has done so, it can be passed any number of times. How many of a
// node enter in a row is as many as have gathered.
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
// A record goes to another node with its new owner while a process may still look at
// it; so the three parts of its state are one word.
//
// Released stores: line 8, which leaves the critical section before it where it is, and
// keeps the successor waiting while it cannot be seen; line 9, which line 1 of the next
// passage takes to memory before anybody is led to the record. Line 6 keeps its fence,
// for the sake of the check alone: it would have half as many states more.
//
// Deviations: the paper, and the programs after it, try compare-and-swap on lines 1 and
// 5 until it succeeds, by which a process can starve; here they are swaps. A process
// does not wait on line 4 for others to gather. If all processes are on one node no process
// appends; on a machine of one node the catalog's lock is CLH. Pointers are numbers.
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

// The parts of a state below the number of its node.
const (
	hclhWait = 1 << iota
	hclhSpliced
	hclhNodes // the number of node 1
)

// New returns the lock for n processes, or a *shm.ProcsError.
func (h HCLH) New(n int, layout shm.Layout, stores shm.Stores) (*HCLHMutex, error) {
	if err := shm.CheckProcs("numa/hclh", n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	places, size := h.Nodes.places(n)
	l := &HCLHMutex{
		released: stores == shm.Released,
		one:      len(size) == 1,
		node:     shm.NewArray[hclhNode](len(size), shm.Padded),
		record:   shm.NewArray[hclhRecord](n+1, layout),
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
	return l, nil
}

func hclhState(node int, parts uint32) uint32 { return uint32(node)*hclhNodes | parts }

// of returns the state of a record.
func (l *HCLHMutex) of(I uint32) *register.Uint32 { return &l.record.At(int(I - 1)).state }

// Lock is the entry section of process i.
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

// Unlock is the exit section of process i.
func (l *HCLHMutex) Unlock(i int) {
	p := l.private.At(i)
	mine := l.of(p.I)
	mine.StoreReleaseIf(l.released, mine.Load()&^hclhWait)               // 8
	l.of(p.pred).StoreReleaseIf(l.released, hclhState(p.node, hclhWait)) // 9
}
