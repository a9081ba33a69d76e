package broken

import (
	"runtime"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// FourSlots is an array lock with four slots, however many processes.
var FourSlots = spec("FourSlots", fair, 64, func(n int) shm.Mutex { return newSlots(n, 4) })

// Wrap8Slots has enough slots, and a place of eight bits that they do not divide.
var Wrap8Slots = spec("Wrap8Slots", fair, 64, func(n int) shm.Mutex {
	l := newSlots(n, 2*n+1)
	l.mask = 0xff
	return l
})

type slots struct {
	next  atomic.Uint32
	has   []atomic.Bool
	place []uint32
	mask  uint32
}

func newSlots(n, slot int) *slots {
	l := &slots{has: make([]atomic.Bool, slot), place: make([]uint32, n), mask: 1<<32 - 1}
	l.has[0].Store(true)
	return l
}

func (l *slots) at(place uint32) *atomic.Bool { return &l.has[(place&l.mask)%uint32(len(l.has))] }

func (l *slots) Lock(i int) {
	place := l.next.Add(1) - 1
	spin.Until(func() bool { return l.at(place).Load() })
	l.at(place).Store(false)
	l.place[i] = place
}
func (l *slots) Unlock(i int) { l.at(l.place[i] + 1).Store(true) }

// Recycled is a stack of waiting nodes that are used again: a pop can swap in
// a next that is no longer next (ABA).
var Recycled = spec("Recycled", live, 64, func(n int) shm.Mutex { return newRecycled(n) })

type recycledNode struct {
	next atomic.Pointer[recycledNode]
}

type recycled struct {
	free atomic.Pointer[recycledNode] // holds one token more than it ought to after an ABA
	mine []*recycledNode
}

func newRecycled(n int) *recycled {
	l := &recycled{mine: make([]*recycledNode, n)}
	a, b := new(recycledNode), new(recycledNode)
	a.next.Store(b)
	l.free.Store(a)
	return l
}

// Lock takes the two tokens that there are.
func (l *recycled) pop() *recycledNode {
	for {
		top := l.free.Load()
		if top == nil {
			return nil
		}
		next := top.next.Load()
		if l.free.CompareAndSwap(top, next) {
			return top
		}
	}
}

func (l *recycled) push(node *recycledNode) {
	for {
		top := l.free.Load()
		node.next.Store(top)
		if l.free.CompareAndSwap(top, node) {
			return
		}
	}
}

func (l *recycled) Lock(i int) {
	for {
		a := l.pop()
		if a == nil {
			runtime.Gosched()
			continue
		}
		b := l.pop()
		if b == nil {
			l.push(a)
			runtime.Gosched()
			continue
		}
		a.next.Store(b)
		l.mine[i] = a
		return
	}
}
func (l *recycled) Unlock(i int) {
	a := l.mine[i]
	b := a.next.Load()
	l.push(b)
	l.push(a)
}

type node struct {
	next   atomic.Pointer[node]
	locked atomic.Bool
}

// NoWaitForNext is the MCS lock, which forgets a successor that has not linked
// itself yet.
var NoWaitForNext = spec("NoWaitForNext", fair, 64, func(n int) shm.Mutex { return &noWaitForNext{nodes: make([]node, n)} })

type noWaitForNext struct {
	tail  atomic.Pointer[node]
	nodes []node
}

func (l *noWaitForNext) Lock(i int) {
	mine := &l.nodes[i]
	mine.next.Store(nil)
	mine.locked.Store(true)
	if pred := l.tail.Swap(mine); pred != nil {
		pred.next.Store(mine)
		spin.Until(func() bool { return !mine.locked.Load() })
	}
}
func (l *noWaitForNext) Unlock(i int) {
	mine := &l.nodes[i]
	if next := mine.next.Load(); next != nil {
		next.locked.Store(false)
		return
	}
	l.tail.CompareAndSwap(mine, nil)
}

// OwnNode is the CLH lock in which a process keeps its node.
var OwnNode = spec("OwnNode", fair, 64, func(n int) shm.Mutex {
	l := &ownNode{nodes: make([]node, n)}
	l.tail.Store(new(node))
	return l
})

type ownNode struct {
	tail  atomic.Pointer[node]
	nodes []node
}

func (l *ownNode) Lock(i int) {
	l.nodes[i].locked.Store(true)
	pred := l.tail.Swap(&l.nodes[i])
	spin.Until(func() bool { return !pred.locked.Load() })
}
func (l *ownNode) Unlock(i int) { l.nodes[i].locked.Store(false) }

// LIFO lets in a process that came last, and claims an order.
var LIFO = spec("LIFO", fair, 64, func(n int) shm.Mutex { return &lifo{nodes: make([]node, n)} })

type lifo struct {
	busy  atomic.Bool
	guard atomic.Bool
	top   *node
	nodes []node
	below []*node
}

func (l *lifo) enter() {
	for l.guard.Swap(true) {
		spin.Pause()
	}
}

func (l *lifo) Lock(i int) {
	l.enter()
	if !l.busy.Load() {
		l.busy.Store(true)
		l.guard.Store(false)
		return
	}
	mine := &l.nodes[i]
	mine.locked.Store(true)
	mine.next.Store(l.top)
	l.top = mine
	l.guard.Store(false)
	spin.Until(func() bool { return !mine.locked.Load() })
}

func (l *lifo) Unlock(int) {
	l.enter()
	if top := l.top; top != nil {
		l.top = top.next.Load()
		top.locked.Store(false)
	} else {
		l.busy.Store(false)
	}
	l.guard.Store(false)
}

// FastNoSecondLook is Lamport's fast lock without the look at y after b has
// been waited for.
var FastNoSecondLook = spec("FastNoSecondLook", live, 64, func(n int) shm.Mutex { return &fast{b: make([]atomic.Bool, n)} })

type fast struct {
	x, y atomic.Int32
	b    []atomic.Bool
}

func (l *fast) Lock(i int) {
	me := int32(i + 1)
	for {
		l.b[i].Store(true)
		l.x.Store(me)
		if l.y.Load() != 0 {
			l.b[i].Store(false)
			spin.Until(func() bool { return l.y.Load() == 0 })
			continue
		}
		l.y.Store(me)
		if l.x.Load() != me {
			l.b[i].Store(false)
			for j := range l.b {
				spin.Until(func() bool { return !l.b[j].Load() })
			}
		}
		return
	}
}
func (l *fast) Unlock(i int) {
	l.y.Store(0)
	l.b[i].Store(false)
}

// NoChoosing is the bakery without choosing; SmallNumbers has numbers that begin
// again at 64; ForgetsAbsent skips a process that it has found absent three
// times.
var (
	NoChoosing    = spec("NoChoosing", live, 64, func(n int) shm.Mutex { return newBakery(n, false, 0, 0) })
	SmallNumbers  = spec("SmallNumbers", live, 64, func(n int) shm.Mutex { return newBakery(n, true, 64, 0) })
	ForgetsAbsent = spec("ForgetsAbsent", live, 64, func(n int) shm.Mutex { return newBakery(n, true, 0, 3) })
)

type bakery struct {
	choosing []atomic.Bool
	number   []atomic.Uint64
	absent   [][]int
	waits    bool
	modulo   uint64
	forgets  int
}

func newBakery(n int, waits bool, modulo uint64, forgets int) *bakery {
	l := &bakery{make([]atomic.Bool, n), make([]atomic.Uint64, n), make([][]int, n), waits, modulo, forgets}
	for i := range l.absent {
		l.absent[i] = make([]int, n)
	}
	return l
}

func (l *bakery) Lock(i int) {
	l.choosing[i].Store(l.waits)
	most := uint64(0)
	for j := range l.number {
		most = max(most, l.number[j].Load())
	}
	mine := most + 1
	if l.modulo > 0 && mine >= l.modulo {
		mine = 1
	}
	l.number[i].Store(mine)
	l.choosing[i].Store(false)
	for j := range l.number {
		if j == i || l.forgets > 0 && l.absent[i][j] >= l.forgets {
			continue
		}
		spin.Until(func() bool { return !l.choosing[j].Load() })
		if l.number[j].Load() == 0 {
			l.absent[i][j]++
		} else {
			l.absent[i][j] = 0
		}
		spin.Until(func() bool {
			n := l.number[j].Load()
			return n == 0 || n > mine || n == mine && j > i
		})
	}
}
func (l *bakery) Unlock(i int) { l.number[i].Store(0) }
