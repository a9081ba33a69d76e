package numa

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// CNAMutex is the compact NUMA-aware lock: an MCS lock whose exit section looks for the next
// waiting process on its own node. It moves the processes that it skips to a second queue.
//
// Source: Dave Dice and Alex Kogan, "Compact NUMA-Aware Locks", EuroSys 2019, article 12. This
// lock is reconstructed from secondary sources, and from a later form in cnalock.h of
// libvsync, whose second queue is a ring.
//
// Registers: tail, the last node of the queue or nil, swapped by all processes. Each process
// has a queue node with next and spin. Its owner clears next, and the successor and lock
// holders write it. Its owner clears spin, and the process that hands over the lock sets it:
// to 1, or to the first node of the second queue. secTail of that first node is the last node
// of the second queue. kept counts the handoffs in a row within one node. Exit sections read
// and write kept.
//
// Properties: mutual exclusion, because each process is let in by the one before it. No process
// starves: after at most batch entries in a row from one node, the second queue goes to the
// front of the first. The second queue keeps its order. So every other process passes a given
// process once, and each other node passes it batch - 1 more times. The reason is that only the
// first waiting process of the holder's node can pass. After that no process of this node is
// ahead any more. A process waits on its own queue node only. An exit section may have to read
// the nodes of all waiting processes, and to wait for a process between lines 3 and 5.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  I.spin := 0
//	3  pred := swap(tail, I)
//	4  if pred = nil then I.spin := 1, enter
//	5  pred.next := I
//	6  wait until I.spin is not 0
//	exit section:
//	7  if I.next = nil then
//	8      if I.spin = 1 then if compare-and-swap(tail, I, nil) succeeds then return
//	9      else h := I.spin; if compare-and-swap(tail, I, h.secTail) succeeds then
//	10         kept := 0; h.spin := 1, return
//	11     wait until I.next is not nil
//	12 if kept + 1 < batch then s := successor(I); if s is not nil then
//	13     kept := kept + 1; s.spin := I.spin, return
//	14 kept := 0; h := I.spin
//	15 if h = 1 then I.next.spin := 1, return
//	16 h.secTail.next := I.next
//	17 h.spin := 1
//	successor(I):
//	18 a := I.next; if a is of the node of i then return a
//	19 find the first c behind a that is of the node of i, and z before it
//	20 if there is none then return nil
//	21 if I.spin = 1 then I.spin := a, else I.spin.secTail.next := a
//	22 z.next := nil
//	23 I.spin.secTail := z, return c
//
// Released stores: lines 1, 2 and 5 as in MCS. The holder makes all others. It makes a later
// store last, and before that store no other process reads the earlier ones.
//
// Deviations: on line 12 the paper draws lots, and no process starves with probability 1. Here
// kept counts instead. In the paper a process writes the number of its memory node into its
// queue node. Here that number does not change. On a machine of one node the lock of the
// catalog is MCS. Pointers are numbers.
type CNAMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // none, or i+1 for the queue node of process i
	_        shm.Pad
	released bool
	batch    int
	kept     int
	place    []place
	node     shm.Array[cnaNode]
}

type cnaNode struct {
	next    register.Uint32 // as tail
	spin    register.Uint32 // 0, 1, or i+2 for the queue node of process i
	secTail register.Uint32 // as tail
}

// none is no queue node.
const none = 0

// New returns the lock for n processes, or a *shm.ProcsError.
func (c CNA) New(n int, layout shm.Layout, stores shm.Stores) (*CNAMutex, error) {
	return shm.New[*CNAMutex](c.spec(layout, stores), n)
}

func (c CNA) build(b shm.Build) shm.Mutex {
	places, _ := c.Nodes.places(b.N)
	return &CNAMutex{released: b.Released, batch: c.Batch, place: places, node: shm.NewArray[cnaNode](b.N, b.Layout)}
}

// of returns the queue node with a number.
func (l *CNAMutex) of(I uint32) *cnaNode { return l.node.At(int(I - 1)) }

// Lock acquires the lock for process i.
func (l *CNAMutex) Lock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	node.next.StoreReleaseIf(l.released, none) // 1
	node.spin.StoreReleaseIf(l.released, 0)    // 2
	pred := l.tail.Swap(I)                     // 3
	if pred == none {
		node.spin.StoreReleaseIf(l.released, 1) // 4
		return
	}
	l.of(pred).next.StoreReleaseIf(l.released, I)            // 5
	spin.Until(func() bool { return node.spin.Load() != 0 }) // 6
}

// Unlock releases the lock for process i.
func (l *CNAMutex) Unlock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	if node.next.Load() == none { // 7
		if second := node.spin.Load(); second == 1 { // 8
			if l.tail.CompareAndSwap(I, none) { // 8
				return
			}
		} else if h := l.of(second - 1); l.tail.CompareAndSwap(I, h.secTail.Load()) { // 9
			l.kept = 0                           // 10
			h.spin.StoreReleaseIf(l.released, 1) // 10
			return
		}
		spin.Until(func() bool { return node.next.Load() != none }) // 11
	}
	if l.kept+1 < l.batch { // 12
		if s := l.successor(i); s != none { // 12
			l.kept++                                                  // 13
			l.of(s).spin.StoreReleaseIf(l.released, node.spin.Load()) // 13
			return
		}
	}
	l.kept = 0 // 14
	next := node.next.Load()
	second := node.spin.Load() // 14
	if second == 1 {
		l.of(next).spin.StoreReleaseIf(l.released, 1) // 15
		return
	}
	h := l.of(second - 1)
	l.of(h.secTail.Load()).next.StoreReleaseIf(l.released, next) // 16
	h.spin.StoreReleaseIf(l.released, 1)                         // 17
}

// successor returns the first process behind i on the same node, or none. It moves the
// processes before it to the second queue.
func (l *CNAMutex) successor(i int) uint32 {
	node, mine := l.node.At(i), l.place[i].node
	a := node.next.Load() // 18
	if l.place[a-1].node == mine {
		return a
	}
	z, c := a, l.of(a).next.Load() // 19
	for c != none && l.place[c-1].node != mine {
		z, c = c, l.of(c).next.Load() // 19
	}
	if c == none {
		return none // 20
	}
	second := node.spin.Load() // 21
	if second == 1 {
		second = a + 1
		node.spin.StoreReleaseIf(l.released, second) // 21
	} else {
		l.of(l.of(second-1).secTail.Load()).next.StoreReleaseIf(l.released, a) // 21
	}
	l.of(z).next.StoreReleaseIf(l.released, none)        // 22
	l.of(second-1).secTail.StoreReleaseIf(l.released, z) // 23
	return c
}
