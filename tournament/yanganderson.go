package tournament

import (
	"math/bits"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// YangAnderson returns the specification of Yang and Anderson's tree for a layout of its
// registers and for its stores.
func YangAnderson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "tournament/yanganderson",
		Title: "Yang and Anderson's tree",
		Source: shm.Source{
			Author: "Jae-Heon Yang and James H. Anderson",
			Title:  "A Fast, Scalable Mutual Exclusion Algorithm",
			Venue:  "Distributed Computing 9(1)",
			Year:   1995,
			Page:   "51-60",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.TwoProcs,
			Doorway:        "7",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "c", Count: Minimal(2).perNode(2), Values: shm.Formula{Text: "n/2+1 for n=2^k", At: func(n int) int { return below(n) + 1 }}},
			{Name: "t", Count: Minimal(2).perNode(1), Values: shm.N},
			{Name: "p", Count: shm.Formula{Text: "n log2 n for n=2^k", At: passed}, Values: shm.Const(3), Own: true},
		},
	}.Built(layout, stores, buildYangAnderson)
}

// below is the most processes below a child of the root of the minimal tree.
func below(n int) int {
	count := [2]int{}
	for i := range n {
		if path := Minimal(2).path(n, i); len(path) > 0 {
			count[path[len(path)-1].place]++
		}
	}
	return max(count[0], count[1])
}

// passed is the number of nodes of the minimal tree that all n processes pass together.
func passed(n int) int {
	nodes := 0
	for i := range n {
		nodes += len(Minimal(2).path(n, i))
	}
	return nodes
}

// YangAndersonMutex is a tournament in which a process waits for registers of its own, one at
// each level, and its rival wakes it.
//
// Source: Jae-Heon Yang and James H. Anderson, "A Fast, Scalable Mutual Exclusion
// Algorithm", Distributed Computing 9(1), 1995, p. 51-60; after ZhangYA.c
// (github.com/pabuhr/concurrent-locking), which has it from X. Zhang, Y. Yan and R.
// Castañeda, "Evaluating and Designing Software Mutual Exclusion Algorithms on
// Shared-Memory Multiprocessors", IEEE Parallel and Distributed Technology 4(1),
// 1996, p. 31, figure 5.
//
// Registers: c[v], for each child v of a node, the id of the process that has come
// from there, or no process, written by it; t[node], the id of the process that came
// last to a node, written by both of its sides; p[s][i], 0, 1 or 2, for each level s
// of nodes. Process i and its rivals there write and read it, and it is in the
// memory of process i.
//
// Properties: mutual exclusion, because of two processes at a node, the one that wrote t last
// waits until the other, which finds t changed, has left: the value 2 says that a process has
// left. The value 1 says that the rival has written t, so that it is decided which process was
// last. Starvation-free, because a leaving process wakes the other if it is there. A passage
// has a bounded number of remote references at each of its O(log n) nodes, with coherent
// caches and with distributed memory. Up to a constant factor, no lock of reads and writes has
// fewer. Waiting is not bounded for n > 2, and there is no order of arrival: between two nodes
// the others do not see a process.
//
// The doorway is lines 1 to 7 of the first node.
//
//	entry section of process i, for each node from its leaf up to the root,
//	v being the child that it comes from, s the level:
//	1  c[v] := i
//	2  t[node] := i
//	3  p[s][i] := 0
//	4  rival := c[sibling of v]
//	   if rival is not no process then
//	5      if t[node] = i then
//	6          if p[s][rival] = 0 then
//	7              p[s][rival] := 1
//	8          wait until p[s][i] >= 1
//	9          if t[node] = i then
//	10             wait until p[s][i] = 2
//	exit section, for each node from the root down to the leaf:
//	11 c[v] := no process
//	12 rival := t[node]
//	13 if rival != i then p[s][rival] := 2
//
// Released stores: lines 1 and 2, which line 3, with its fence, takes to memory before
// anything is read. Line 13 keeps its fence: it is executed only if there is a rival, and
// without the fence the check is a third larger.
//
// Deviations: the tree is the minimal one, so that n need not be a power of two.
// Levels are counted from the root.
type YangAndersonMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	c        shm.Array[register.Uint32] // c[v] is an id plus 1, or 0 for no process
	t        shm.Array[register.Uint32]
	p        []shm.Array[register.Uint32]
}

// NewYangAnderson returns the tree for n processes, or a *shm.ProcsError.
func NewYangAnderson(n int, layout shm.Layout, stores shm.Stores) (*YangAndersonMutex, error) {
	return shm.New[*YangAndersonMutex](YangAnderson(layout, stores), n)
}

func buildYangAnderson(b shm.Build) shm.Mutex {
	l := &YangAndersonMutex{
		released: b.Released,
		n:        b.N,
		c:        shm.NewArray[register.Uint32](2*b.N, b.Layout),
		t:        shm.NewArray[register.Uint32](b.N, b.Layout),
		p:        make([]shm.Array[register.Uint32], bits.Len(uint(b.N-1))),
	}
	for s := range l.p {
		l.p[s] = shm.NewArray[register.Uint32](b.N, b.Layout)
	}
	return l
}

// Lock acquires the lock for process i.
func (l *YangAndersonMutex) Lock(i int) {
	me := uint32(i)
	for v := l.n + i; v > 1; v /= 2 {
		t, p := l.t.At(v/2), &l.p[level(v/2)]
		mine := p.At(i)
		l.c.At(v).StoreReleaseIf(l.released, me+1) // 1
		t.StoreReleaseIf(l.released, me)           // 2
		mine.Store(0)                              // 3
		rival := int(l.c.At(v^1).Load()) - 1       // 4
		if rival < 0 || t.Load() != me {           // 5
			continue
		}
		if p.At(rival).Load() == 0 { // 6
			p.At(rival).Store(1) // 7
		}
		spin.Until(func() bool { return mine.Load() >= 1 }) // 8
		if t.Load() == me {                                 // 9
			spin.Until(func() bool { return mine.Load() == 2 }) // 10
		}
	}
}

// Unlock releases the lock for process i.
func (l *YangAndersonMutex) Unlock(i int) {
	leaf := l.n + i // its bits, after the first, are the path down
	for below := level(leaf) - 1; below >= 0; below-- {
		v := leaf >> below
		l.c.At(v).Store(0)                                  // 11
		if rival := int(l.t.At(v / 2).Load()); rival != i { // 12
			l.p[level(v/2)].At(rival).Store(2) // 13
		}
	}
}

// level is the number of nodes above v.
func level(v int) int { return bits.Len(uint(v)) - 1 }
