package elevator

import (
	"math/bits"

	"shmbench/shm"
	"shmbench/shm/register"
)

// Tree returns the specification of the tree elevator, whose leader is chosen by
// compare-and-swap, for a layout of its registers and for its stores.
func Tree(layout shm.Layout, stores shm.Stores) shm.Algorithm { return tree(byCAS, layout, stores) }

// TreeBL returns the specification of the tree elevator of reads and writes, for a layout of
// its registers. The leader is chosen after Burns and Lynch. TreeBL has no variant with
// release stores, which has too many states to be checked with every change. For the same
// reason there is no tree whose leader is chosen after Lamport's fast lock, which
// ElevatorTree.c has too: three processes have some 13 million states.
func TreeBL(layout shm.Layout) shm.Algorithm { return tree(byBurnsLynch, layout, shm.Sequential) }

func tree(by trial, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "elevator/tree" + by.suffix,
		Title:  "Tree elevator, leader " + by.title,
		Source: elevators,
		Class:  by.class,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "the sum of the levels to all others", At: treeBypass},
			Doorway:        by.doorway,
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        by.weakest,
		},
		Space: append(shm.Space{
			{Name: "vals", Count: shm.Formula{Text: "2n-1", At: func(n int) int { return 2*n - 1 }}, Values: shm.Formula{Text: "1 + leaves below node 2", At: treeValues}},
			{Name: "first", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "queue", Count: shm.N, Values: shm.N},
			{Name: "front", Count: shm.Const(1), Values: shm.N},
			{Name: "rear", Count: shm.Const(1), Values: shm.N},
		}, by.space...),
	}.Built(layout, stores, func(b shm.Build) shm.Mutex { return newTree(by, b.N, b.Layout, b.Released) })
}

// TreeMutex is the tree elevator. A process applies by writing its id on the path from its
// leaf to the root. The exit section looks at the siblings of its own path, and puts the ids
// that it finds into a queue. It gives the turn to the head of the queue.
//
// Source: Peter A. Buhr, David Dice, Wim H. Hesselink, "High-Contention Mutual Exclusion by
// Elevator Algorithms", Concurrency and Computation: Practice and Experience 30(18), 2018,
// e4475. Written after their program ElevatorTree.c (github.com/pabuhr/concurrent-locking,
// f32f830).
//
// Registers: vals[v], an id, or n for none, for the nodes v of a tree with n leaves in heap
// order. Leaf n+i belongs to process i. The processes below a node write it. The exit section
// also writes leaves, and reads all nodes. vals[2n] is n forever, so that a leaf that belongs
// to no process can be read. A queue of n places, with queue, front and rear, which only the
// process in its critical section accesses. first, and fast with the rest of the trylock, as
// in LinearMutex.
//
// Properties: mutual exclusion as in LinearMutex. Starvation-free, with a bound: let the path
// of process q meet that of a waiting process p at level d above p's leaf. When q leaves, it
// finds on p's side p itself, or a process r. Process r wrote after p and is queued now, or
// has been in the critical section since. When r leaves, it finds p, or another process that
// meets p at a lower level, and so on. Each of these is in the queue before q is there again,
// so q enters at most d times before p. For n = 2, 3 and 4 the bound is 1, 3 and 5, and is
// attained. If log n is an integer, it is n(log n - 1) + 1. There is no order of arrival. The
// exit section reads log n nodes, and not n processes.
//
// The doorway ends as that of LinearMutex.
//
//	entry section of process i:
//	1  for v := n+i, and then v/2, while v > 1: vals[v] := i
//	2  if trylock(i) then
//	3      wait until first = i or first = n
//	4      first := i
//	5      fast := false
//	   else
//	6      wait until first = i
//	7  vals[n+i] := n
//	exit section:
//	8  for each node v on the path from the root to n+i, but the root:
//	9      k := vals[the sibling of v]
//	10     if vals[n+k] < n then
//	11         vals[n+k] := n; append k to the queue
//	12 first := the head of the queue, removed, or n if there is none
//
// Released stores: line 1, because the trylock has a fence, or a compare-and-swap, before it
// reads; line 4, because line 5 has a fence; line 12, which leaves the critical section. Lines
// 7 and 11 keep their fences, so that the check has few states.
//
// Deviations: none.
type TreeMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	vals     shm.Array[register.Uint32]
	trylock  trylock
	turn     turn

	_           shm.Pad
	queue       []uint32
	front, rear int
	_           shm.Pad
}

// newTree returns the lock with no process on any path.
func newTree(by trial, n int, layout shm.Layout, released bool) *TreeMutex {
	l := &TreeMutex{
		released: released,
		n:        n,
		vals:     shm.NewArray[register.Uint32](2*n+1, layout),
		trylock:  by.newTrylock(n, layout, released),
		turn:     newFirstTurn(n, layout, released),
		queue:    make([]uint32, n),
	}
	for v := range l.vals.Len() {
		l.vals.At(v).Store(uint32(n))
	}
	return l
}

// Lock acquires the lock for process i.
func (l *TreeMutex) Lock(i int) {
	for v := l.n + i; v > 1; v /= 2 {
		l.vals.At(v).StoreReleaseIf(l.released, uint32(i)) // 1
	}
	if l.trylock.try(i) { // 2
		l.turn.lead(i)    // 3, 4
		l.trylock.reset() // 5
	} else {
		l.turn.follow(i) // 6
	}
	l.vals.At(l.n + i).Store(uint32(l.n)) // 7
}

// Unlock releases the lock for process i.
func (l *TreeMutex) Unlock(i int) {
	leaf, none := l.n+i, uint32(l.n)
	for d := bits.Len(uint(leaf)) - 2; d >= 0; d-- { // 8
		k := l.vals.At(leaf>>d ^ 1).Load()                   // 9
		if at := l.vals.At(l.n + int(k)); at.Load() < none { // 10
			at.Store(none)           // 11
			l.queue[l.rear] = k      // 11
			l.rear = l.after(l.rear) // 11
		}
	}
	next := l.n
	if l.front != l.rear { // 12
		next = int(l.queue[l.front]) // 12
		l.front = l.after(l.front)   // 12
	}
	l.turn.pass(next) // 12
}

// after returns the place after a place of the queue.
func (l *TreeMutex) after(place int) int {
	if place+1 == l.n {
		return 0
	}
	return place + 1
}

// leaves returns how many leaves are below each node of a tree.
func leaves(n int) []int {
	below := make([]int, 2*n)
	for v := 2*n - 1; v > 0; v-- {
		if v >= n {
			below[v] = 1
		} else {
			below[v] = below[2*v] + below[2*v+1]
		}
	}
	return below
}

// treeBypass returns the largest sum, over the processes, of the levels at which the path of a
// process meets those of the others.
func treeBypass(n int) (most int) {
	below := leaves(n)
	for leaf := n; leaf < 2*n; leaf++ {
		sum := 0
		for v, level := leaf, 1; v > 1; v, level = v/2, level+1 {
			sum += level * below[v^1]
		}
		most = max(most, sum)
	}
	return most
}

// treeValues returns how many values a node can have: n, and the ids below it.
func treeValues(n int) int {
	if n == 1 {
		return 1
	}
	return 1 + leaves(n)[2]
}
