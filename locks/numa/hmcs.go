package numa

import (
	"math"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// HMCSMutex is the hierarchical MCS lock. A process enters the queue of its group. The process
// at the front of a queue enters the queue of the surrounding group, up to the root. An exit
// section hands everything above its own group to the next process of the group, up to batch
// times in a row.
//
// Source: Milind Chabbi, Michael Fagan and John Mellor-Crummey, "High Performance Locks for
// Multi-level NUMA Systems", PPoPP 2015, p. 215-226. The programs that were read are hmcs.c of
// litl, with two levels, and hmcslock.h of libvsync.
//
// Registers: each group x of processors, up to the root, which is the whole machine, has
// tail[x]: the last node of its queue, or nil, swapped by arriving processes. Each process has
// a queue node, and each group has one for the queue of the surrounding group. A queue node
// has next, as in MCS, and status. Its owner sets status before it waits, and its predecessor
// sets it to let it go on. The new value is the number of processes in a row that have had the
// groups above. It is parent if the owner must win them itself. The front process of a group
// uses the queue node of the group.
//
// Properties: mutual exclusion, because one process of a group at a time is at the front of
// its queue, at every level up to the root. No process starves: each queue is
// first-come-first-served, and a group gives up what is above it after batch processes in a
// row. With two levels, once the group of a process is in the root's queue, at most batch
// processes of each other node enter first. Before that, a process can be passed any number of
// times.
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
// Released stores: lines 1, 4 and 5 as in MCS. Line 9 is read by the process itself, and by no
// other process before line 12 or 16 writes status again. Lines 12 and 16 leave the critical
// section, from the root down.
//
// Deviations: the paper sets status to wait before line 2. Here only a process that has to
// wait does so, as in MCS. The root has the same registers as the other groups, and is the
// innermost group that contains all processes. On a machine of one node the lock of the
// catalog is MCS. Pointers are numbers.
type HMCSMutex struct {
	_        shm.NoCopy
	released bool
	batch    uint32
	way      [][]hmcsPlace // by process, from its own group up to the root
	group    shm.Array[hmcsGroup]
	node     shm.Array[hmcsNode]
}

// hmcsStep is a group on the way up, and the number of the queue node in its queue.
type hmcsStep struct {
	x int
	I uint32
}

// hmcsPlace has the registers of a step.
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

// The values of status besides the counts, which begin at 1.
const (
	hmcsWait   = 0
	hmcsParent = math.MaxUint32
)

// New returns the lock for n processes, or a *shm.ProcsError.
func (h HMCS) New(n int, layout shm.Layout, stores shm.Stores) (*HMCSMutex, error) {
	return shm.New[*HMCSMutex](h.spec(layout, stores), n)
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

// Lock acquires the lock for process i.
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

// enter is lines 1 to 7. It reports whether the predecessor handed over what is above the
// queue.
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

// Unlock releases the lock for process i.
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

// pass is line 12. It reports whether the lock was handed over within the group.
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
