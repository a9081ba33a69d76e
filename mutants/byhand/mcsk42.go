package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var mcsK42 = queue.MCSK42(shm.Packed, shm.Sequential)

var mcsK42s = []Mutant{
	mutate(mcsK42, "mcsk42-link-kept", "whoever takes the lock over without a successor leaves the link to itself in the lock", Deadlock, 2,
		func(n int) shm.Mutex { return &mcsK42LinkKept{newMCSK42(n)} }),
	mutate(mcsK42, "mcsk42-link-not-passed", "whoever takes the lock over does not put its successor into the lock", Deadlock, 2,
		func(n int) shm.Mutex { return &mcsK42LinkNotPassed{newMCSK42(n)} }),
}

// mcsK42Base is K42's MCS lock in pieces:
//
//	entry section of process i, whose node is I:
//	1  prev := q.tail
//	2  if prev = nil then if compare-and-swap(q.tail, nil, q) succeeds then enter, else goto 1
//	3  I.tail := waiting
//	4  I.next := nil
//	5  if compare-and-swap(q.tail, prev, I) fails then goto 1
//	6  prev.next := I
//	7  wait until I.tail is not waiting
//	8  succ := I.next
//	9  if succ = nil then q.next := nil
//	10     if compare-and-swap(q.tail, I, q) succeeds then enter
//	11     wait until I.next is not nil; succ := I.next
//	12 q.next := succ
//	exit section:
//	13 succ := q.next
//	14 if succ = nil then if compare-and-swap(q.tail, q, nil) succeeds then return
//	15     wait until q.next is not nil; succ := q.next
//	16 succ.tail := nil
type mcsK42Base struct {
	q    uint32 // the number of the lock's node
	node []mcsK42Node
}

// mcsK42Node is the node of a number other than none, which is one more than its index.
type mcsK42Node struct{ tail, next atomic.Uint32 }

const waiting = 1

func newMCSK42(n int) *mcsK42Base {
	return &mcsK42Base{q: uint32(n + 1), node: make([]mcsK42Node, n+1)}
}

func (l *mcsK42Base) of(I uint32) *mcsK42Node { return &l.node[I-1] }

// enter is lines 1 to 7; it reports whether there is nothing left to do.
func (l *mcsK42Base) enter(I uint32) bool {
	q, node := l.of(l.q), l.of(I)
	for ; ; spin.Pause() {
		prev := q.tail.Load() // 1
		if prev == none {
			if q.tail.CompareAndSwap(none, l.q) { // 2
				return true
			}
			continue
		}
		node.tail.Store(waiting)            // 3
		node.next.Store(none)               // 4
		if q.tail.CompareAndSwap(prev, I) { // 5
			l.of(prev).next.Store(I) // 6
			break
		}
	}
	spin.Until(func() bool { return node.tail.Load() != waiting }) // 7
	return false
}

// last is line 10.
func (l *mcsK42Base) last(I uint32) bool { return l.of(l.q).tail.CompareAndSwap(I, l.q) }

// linked is lines 11 and 15.
func (l *mcsK42Base) linked(I uint32) uint32 {
	next := &l.of(I).next
	spin.Until(func() bool { return next.Load() != none })
	return next.Load()
}

func (l *mcsK42Base) Unlock(int) {
	q := l.of(l.q)
	succ := q.next.Load() // 13
	if succ == none {
		if q.tail.CompareAndSwap(l.q, none) { // 14
			return
		}
		succ = l.linked(l.q) // 15
	}
	l.of(succ).tail.Store(none) // 16
}

type mcsK42LinkKept struct{ *mcsK42Base }

func (l *mcsK42LinkKept) Lock(i int) {
	I := uint32(i + 1)
	if l.enter(I) {
		return
	}
	succ := l.of(I).next.Load() // 8
	if succ == none {
		if l.last(I) { // 10
			return
		}
		succ = l.linked(I) // 11
	}
	l.of(l.q).next.Store(succ) // 12
}

type mcsK42LinkNotPassed struct{ *mcsK42Base }

func (l *mcsK42LinkNotPassed) Lock(i int) {
	I := uint32(i + 1)
	if l.enter(I) || l.of(I).next.Load() != none { // 8
		return
	}
	l.of(l.q).next.Store(none) // 9
	if !l.last(I) {            // 10
		l.linked(I) // 11
	}
}
