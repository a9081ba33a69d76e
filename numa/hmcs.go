package numa

import (
	"math"

	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

// HMCSMutex is the hierarchical MCS lock: an arriving process queues up in its group, and the
// front of each queue in that of the group around it; a leaving process passes all that it has
// so won on to the next one in its own group, if there is one and it is not yet the
// turn of others.
//
// Source: Milind Chabbi, Michael Fagan and John Mellor-Crummey, "High Performance Locks
// for Multi-level NUMA Systems", PPoPP 2015, p. 215-226; read as the two levels of
// hmcs.c in litl, and as hmcslock.h of libvsync.
//
// Registers: for each group x of processors, the machine being the root, tail[x], the
// last in its queue or nil, swapped by those that come; for each process, and for each
// group in the queue of the group around it, a queue node with next, as in MCS, and
// status, which is set by its owner before it waits, and by the predecessor that lets
// it go on: to the number of those in a row that have had what is above the queue, or to
// parent, if that is to be won anew. A group's own queue node is used by the front of
// its queue.
//
// Properties: mutual exclusion, because one process of a group at a time is at the front
// of its queue, and so on up to the root. No process starves: each queue is served in its
// order, and what is above it is let go of after batch in a row. When a process that has
// come to the root has its place there, batch of each other node enter first at the most
// if there are two levels; before, it can be passed any number of times.
//
// The doorway is lines 1 and 2, in the process's own group.
//
//	entry section of process i, whose queue node is I, in the queue of group x:
//	1  I.next := nil
//	2  pred := swap(tail[x], I)
//	3  if pred is not nil then
//	4      I.status := wait
//	5      pred.next := I
//	6      wait until I.status is not wait
//	7      if I.status is not parent then enter
//	8  if x is the root then enter
//	9  I.status := 1
//	10 I := the queue node of x, x := the group around it; goto 1
//	exit section of process i, I and x as at first:
//	11 if x is not the root then
//	12     if I.status < batch and I.next is not nil then I.next.status := I.status + 1, return
//	13     leave the queue of the group around x, as from line 11
//	14 if I.next = nil then if compare-and-swap(tail[x], I, nil) succeeds then return
//	15 wait until I.next is not nil
//	16 I.next.status := parent, or 1 if x is the root
//
// Released stores: lines 1, 4 and 5 as in MCS; line 9, which only the process itself
// reads, and after whose line 12 or 16 no process does before it writes again; lines 12 and
// 16, which leave the critical section, from the root down.
//
// Deviations: the paper sets status to wait before line 2; here only a process that has to wait
// does, as in MCS. The root has the same words as the other groups, and
// is the innermost group that all processes are in. On a machine of one node the
// catalog's lock is MCS. Pointers are numbers.
type HMCSMutex struct {
	_        shm.NoCopy
	released bool
	batch    uint32
	way      [][]hmcsPlace // by process, from its own group up to the root
	group    shm.Array[hmcsGroup]
	node     shm.Array[hmcsNode]
}

// hmcsStep is a group on the way up, and the number of the queue node there.
type hmcsStep struct {
	x int
	I uint32
}

// hmcsPlace is where the registers of a step are.
type hmcsPlace struct {
	tail *register.Uint32
	node *hmcsNode
	I    uint32
}

type hmcsGroup struct{ tail register.Uint32 } // none, or the number of a queue node

type hmcsNode struct {
	next   register.Uint32 // as tail
	status register.Uint32
}

// What status can be beside a count from 1 on.
const (
	hmcsWait   = 0
	hmcsParent = math.MaxUint32
)

// New returns the lock for n processes, or a *shm.ProcsError.
func (h HMCS) New(n int, layout shm.Layout, stores shm.Stores) (*HMCSMutex, error) {
	if err := shm.CheckProcs("numa/hmcs", n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	return h.build(shm.Build{N: n, Layout: layout, Released: stores == shm.Released}), nil
}

func (h HMCS) build(b shm.Build) *HMCSMutex {
	t := h.tree(b.N)
	l := &HMCSMutex{
		released: b.Released,
		batch:    uint32(h.Batch),
		group:    shm.NewArray[hmcsGroup](len(t.size), shm.Padded),
		node:     shm.NewArray[hmcsNode](b.N+len(t.size)-1, b.Layout),
	}
	for _, steps := range t.way {
		way := make([]hmcsPlace, len(steps))
		for level, at := range steps {
			way[level] = hmcsPlace{&l.group.At(at.x).tail, l.of(at.I), at.I}
		}
		l.way = append(l.way, way)
	}
	return l
}

// Lock is the entry section of process i.
func (l *HMCSMutex) Lock(i int) {
	way := l.way[i]
	root := len(way) - 1
	for _, at := range way[:root] { // 8
		if l.enter(at) {
			return
		}
		at.node.status.StoreReleaseIf(l.released, 1) // 9
	}
	l.enter(way[root]) // 10
}

// enter is lines 1 to 7; it reports whether what is above the queue has been passed on.
func (l *HMCSMutex) enter(at hmcsPlace) bool {
	I, node := at.I, at.node
	node.next.StoreReleaseIf(l.released, none) // 1
	pred := at.tail.Swap(I)                    // 2
	if pred == none {                          // 3
		return false
	}
	node.status.StoreReleaseIf(l.released, hmcsWait)                  // 4
	l.of(pred).next.StoreReleaseIf(l.released, I)                     // 5
	spin.Until(func() bool { return node.status.Load() != hmcsWait }) // 6
	return node.status.Load() != hmcsParent                           // 7
}

// Unlock is the exit section of process i.
func (l *HMCSMutex) Unlock(i int) {
	way := l.way[i]
	level := 0
	for level < len(way)-1 && !l.pass(way[level].node) { // 11
		level++ // 13
	}
	grant := uint32(1)
	if level < len(way)-1 {
		level--
		grant = hmcsParent
	}
	for ; level >= 0; level-- {
		l.leave(way[level], grant)
		grant = hmcsParent
	}
}

// pass is line 12; it reports whether that was all.
func (l *HMCSMutex) pass(node *hmcsNode) bool {
	count := node.status.Load() // 12
	if count >= l.batch {
		return false
	}
	next := node.next.Load() // 12
	if next == none {
		return false
	}
	l.of(next).status.StoreReleaseIf(l.released, count+1) // 12
	return true
}

// leave is lines 14 to 16.
func (l *HMCSMutex) leave(at hmcsPlace, grant uint32) {
	node := at.node
	if node.next.Load() == none && at.tail.CompareAndSwap(at.I, none) { // 14
		return
	}
	spin.Until(func() bool { return node.next.Load() != none })     // 15
	l.of(node.next.Load()).status.StoreReleaseIf(l.released, grant) // 16
}

// of returns the queue node of a number other than none.
func (l *HMCSMutex) of(I uint32) *hmcsNode { return l.node.At(int(I - 1)) }
