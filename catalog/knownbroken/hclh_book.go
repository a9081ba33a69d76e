package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// hclhBook is HCLH as the first edition of The Art of Multiprocessor Programming is quoted. A
// new node has state 0: it belongs to cluster 0, it is not the last one spliced, and its
// successor need not wait. A process does not change the state of its node before it queues
// up. So the second process of cluster 0 believes that its predecessor, with a new node, has
// already left.
//
// All processes are of cluster 0 here.
var hclhBook = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/hclh-book",
		Title: "Hierarchical CLH lock, as quoted from a book",
		Source: shm.Source{
			Author: "Maurice Herlihy and Nir Shavit",
			Title:  "The Art of Multiprocessor Programming",
			Venue:  "Morgan Kaufmann, 1st edition, section 7.8.2",
			Year:   2008,
		},
		Class:  shm.CompareAndSwap,
		Claims: shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "global", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "tail", Count: shm.Const(1), Values: shm.Formula{Text: "n+2", At: func(n int) int { return n + 2 }}},
			{Name: "state", Count: shm.NPlus1, Values: shm.Const(4)},
		},
	},
	Read:     "a quotation of the book in question 65952221 of Stack Overflow, of which a copy of the first part was read, and a program in C# after the book; the book was not seen",
	Claimed:  "mutual exclusion, and that the queue of all clusters is served in its order",
	Property: exclusion,
	Verdict:  "a process reads the new node of its predecessor. The node looks as if the predecessor had left, and both are in their critical sections.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    13,
	Fix:      "a new node has the cluster of its process, and its successor must wait",
	Fixed:    "numa/hclh",
}, newHCLHBook(0))

// hclhBookMutex is the lock. The state of a node has the cluster, which is 0 here, and two
// bits: spliced, that the node is the last one that was spliced into the global queue, and
// wait, that its successor must wait.
//
//	entry section of process i, whose node is I:
//	1  repeat p := tail until compare-and-swap(tail, p, I) succeeds
//	2  if p is not nil then wait until p has neither wait nor spliced, and enter, or until p is spliced
//	3  repeat p := global; t := tail until compare-and-swap(global, p, t) succeeds
//	4  t has spliced
//	5  wait until p has not wait
//	exit section:
//	6  I has not wait
//	7  p has wait and not spliced
//	8  I := p
type hclhBookMutex struct {
	global, tail atomic.Uint32 // 0, or the number of a node
	node         []hclhBookNode
	own          []hclhBookOwn // of each process
}

type hclhBookNode struct{ state atomic.Uint32 }

type hclhBookOwn struct{ I, p uint32 }

const (
	hclhBookWait     = 1
	hclhBookSpliced  = 2
	hclhBookClusters = 4 // a state divided by it is the number of the cluster
)

// newHCLHBook returns a function that makes the lock, with the state of a new node.
func newHCLHBook(state uint32) func(n int) shm.Mutex {
	return func(n int) shm.Mutex {
		l := &hclhBookMutex{node: make([]hclhBookNode, n+1), own: make([]hclhBookOwn, n)}
		for i := range l.own {
			l.own[i].I = uint32(i + 1)
			l.of(l.own[i].I).Store(state)
		}
		l.global.Store(uint32(n + 1))
		return l
	}
}

// of returns the state of a node.
func (l *hclhBookMutex) of(node uint32) *atomic.Uint32 { return &l.node[node-1].state }

func (l *hclhBookMutex) Lock(i int) {
	own := &l.own[i]
	p := l.tail.Load()                     // 1
	for !l.tail.CompareAndSwap(p, own.I) { // 1
		spin.Pause()
		p = l.tail.Load() // 1
	}
	if p != 0 && l.granted(l.of(p)) {
		own.p = p
		return
	}
	p = l.global.Load()                  // 3
	t := l.tail.Load()                   // 3
	for !l.global.CompareAndSwap(p, t) { // 3
		spin.Pause()
		p = l.global.Load() // 3
		t = l.tail.Load()   // 3
	}
	change(l.of(t), hclhBookSpliced, 0)
	pred := l.of(p)
	spin.Until(func() bool { return pred.Load()&hclhBookWait == 0 }) // 5
	own.p = p
}

// granted is line 2. It reports whether the process has entered.
func (l *hclhBookMutex) granted(p *atomic.Uint32) bool {
	for ; ; spin.Pause() {
		if p.Load()/hclhBookClusters == 0 && p.Load()&hclhBookSpliced == 0 && p.Load()&hclhBookWait == 0 { // 2
			return true
		}
		if p.Load()/hclhBookClusters != 0 || p.Load()&hclhBookSpliced != 0 { // 2
			return false
		}
	}
}

// change sets and clears bits of a state.
func change(state *atomic.Uint32, set, clear uint32) {
	for ; ; spin.Pause() {
		old := state.Load()                            // 4, 6, 7
		if state.CompareAndSwap(old, old&^clear|set) { // 4, 6, 7
			return
		}
	}
}

func (l *hclhBookMutex) Unlock(i int) {
	own := &l.own[i]
	change(l.of(own.I), 0, hclhBookWait)
	change(l.of(own.p), hclhBookWait, hclhBookSpliced)
	own.I = own.p // 8
}
